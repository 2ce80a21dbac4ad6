/** What somebody is greeted with. */
export function greeting(name) {
  return `Hello, ${name}!`;
}
