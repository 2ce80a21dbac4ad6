/** What all tasks return, in their order. */
export function gather(tasks) {
  return Promise.all(tasks.map((task) => task()));
}
