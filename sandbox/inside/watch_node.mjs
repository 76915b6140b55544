// A reporter for node:test, in the runner's own process: the tests' files run in others. Each line of its output carries
// a code over it and the code before, made with the key that stood in descriptor 3 until now (see watch_tests.py).
import { createHmac } from 'node:crypto';
import { closeSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const key = Buffer.from(readFileSync(3, 'ascii'), 'hex');
closeSync(3);

let code = '';
let failed = false;

function line(fact) {
  const text = JSON.stringify(fact);
  code = createHmac('sha256', key).update(code + text).digest('hex');
  return `${text} ${code}\n`;
}

function outcome(event) {
  const { skip, todo } = event.data;
  if (event.type === 'test:fail') return 'failed';
  return skip === undefined && todo === undefined ? 'passed' : 'skipped';
}

export default async function* report(source) {
  const above = new Map();
  for await (const event of source) {
    const { name, nesting, file } = event.data ?? {};
    if (event.type === 'test:start') {
      const names = (above.get(file) ?? []).slice(0, nesting);
      names[nesting] = name;
      above.set(file, names);
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    if (outcome(event) === 'failed') failed = true;
    if (event.data.details?.type === 'suite') continue;
    const path = file === undefined ? '' : relative(process.cwd(), file);
    const names = [...(above.get(file) ?? []).slice(0, nesting), name];
    const whole = nesting === 0 && file !== undefined && (name === file || name === path);
    yield line({ id: whole ? path : [path, ...names].join('::'), outcome: outcome(event), ...(whole ? { file: true } : {}) });
  }
  yield line({ end: failed ? 1 : 0, changed: [] });
}
