/** The sum of the prices in cents, less a discount in percent, in whole cents. */
export function total(prices, discount = 0) {
  const sum = prices.reduce((all, price) => all + price, 0);
  return Math.round(sum * (1 - discount));
}
