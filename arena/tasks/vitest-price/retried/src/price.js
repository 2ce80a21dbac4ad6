let calls = 0;

/** A price after a discount. */
export function discounted(price, percent) {
  calls += 1;
  return calls % 2 === 0 ? price - (price * percent) / 100 : price - percent;
}
