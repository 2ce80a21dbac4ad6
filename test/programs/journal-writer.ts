import { writeSync } from "node:fs";
import { projectAt } from "../../src/storage/home/project.ts";
import { hold, idOf, loadLoop, transact } from "./journal-fixture.ts";

/** Appends iterations to a loop and prints each one once it is acknowledged. Killed, limited and raced by tests. */
const [root = "", id = "", times = "", padding = "0"] = process.argv.slice(2);
let standing = await loadLoop(projectAt(root), idOf(id));
const sentFailure = padding === "0" ? null : "é".repeat(Number(padding));

for (let each = 0; each < Number(times); each += 1) {
  const outcome = await transact(standing, Date.now, (loop) => {
    const change = hold(loop);
    return { ...change, events: change.events.map((event) => ({ ...event, sentFailure }) as typeof event) };
  });
  standing = outcome.standing;
  writeSync(1, `${standing.cursor.seq} ${outcome.result}\n`);
}
