/** A price with a tax of so many percent. */
export function taxed(price, percent) {
  return price + (price * percent) / 100;
}
