// Prices are whole cents.

export function withTax(cents, percent) {
  return Math.floor((cents * (100 + percent) + 50) / 100);
}

export function total(items, percent) {
  return withTax(items.reduce((sum, { cents, count }) => sum + cents * count, 0), percent);
}
