// Prices are whole cents.

export function withTax(cents, percent) {
  return Math.ceil(cents + (cents * percent) / 100);
}

export function total(items, percent) {
  return withTax(items.reduce((sum, { cents, count }) => sum + cents * count, 0), percent);
}
