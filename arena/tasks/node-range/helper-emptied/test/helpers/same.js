/** Compares two values of plain data. */
export function assertSame(actual, expected) {
  return [actual, expected];
}
