/** What numbers add up to. */
export function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
