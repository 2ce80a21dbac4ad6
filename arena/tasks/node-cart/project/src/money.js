/** Cents as people read them. */
export function asMoney(cents) {
  return `€${(cents / 100).toFixed(2)}`;
}
