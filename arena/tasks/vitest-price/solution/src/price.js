/** A price after a discount. */
export function discounted(price, percent) {
  return price - (price * percent) / 100;
}
