// node bin/total.js PERCENT COUNTxCENTS...
import { total } from '../lib/price.js';

const [percent, ...words] = process.argv.slice(2);
const items = words.map((word) => {
  const [count, cents] = word.split('x').map(Number);
  return { count, cents };
});
console.log((total(items, Number(percent)) / 100).toFixed(2));
