import { learn, prune } from "../../src/engine/learnings/learnings-file.ts";

/** Keeps as many lessons as asked, one after the other; or, without a number, prunes until it is told to end. */
const [home = "", project = "", name = "", count] = process.argv.slice(2);
const keeper = { home, env: {}, now: Date.now };

if (count === undefined) {
  let isOver = false;
  process.on("SIGTERM", () => (isOver = true));
  const again = (): void => {
    prune(keeper, project);
    if (!isOver) setImmediate(again);
  };
  again();
} else {
  for (let index = 0; index < Number(count); index += 1) {
    const text = `${name} learned number ${index}.`;
    learn(keeper, project, [{ kind: "discovery", context: "", text, confidence: 0.9 }], name);
  }
}
