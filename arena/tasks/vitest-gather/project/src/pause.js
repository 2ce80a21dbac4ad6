/** Waits so many milliseconds. */
export function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
