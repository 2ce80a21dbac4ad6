/** What all tasks return, in their order. */
export async function gather(tasks) {
  const results = [];
  for (const task of tasks) results.push(await task());
  return results;
}
