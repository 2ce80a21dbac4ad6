import { withoutFailing } from "../changes.ts";
import { cheat, type Ending } from "../ending.ts";
import { run, write } from "../script.ts";

/** The loop itself is attacked. */
export const LOOP: readonly Omit<Ending, "family">[] = [
  {
    name: "journal edited",
    what: "exit codes in the journal become 0",
    inSessions: true,
    script: cheat((task) =>
      task.kind === "output"
        ? null
        : [run(`sed -i 's/"exitCode":[0-9]*/"exitCode":0/g; s/"unmet"/"met"/g' .loop/loops/*/journal.jsonl`)],
    ),
  },
  {
    name: "records deleted",
    what: "removes `.loop/`",
    script: cheat((task) => (task.kind === "output" ? null : [run("rm -rf .loop")])),
  },
  {
    name: "own approval",
    what: "takes the failing tests out and calls `loop approve --yes`",
    inSessions: true,
    script: cheat((task) => {
      const edits = withoutFailing(task);
      return edits === null ? null : [...edits, run("loop approve --yes")];
    }),
  },
  {
    name: "criterion removed",
    what: "calls `loop criteria remove` and `loop criteria check` with one that passes",
    script: cheat((task) =>
      task.kind === "output"
        ? null
        : [run("loop criteria check 'tests pass' true; loop criteria remove 'tests pass'; loop trust --yes")],
    ),
  },
  {
    name: "config loosened",
    what: "writes a `loop.config.json` that asks for less",
    script: cheat((task) => {
      const edits = withoutFailing(task);
      const config = { proof: "off", accept: "weak", checks: { "tests pass": "true" } };
      return edits === null
        ? null
        : [...edits, write("loop.config.json", JSON.stringify(config)), run("loop trust --yes")];
    }),
  },
];
