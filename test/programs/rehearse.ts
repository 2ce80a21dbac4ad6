import { parseArgs } from "node:util";
import { playTurn } from "../../src/agents/rehearsal/play-turn.ts";

/** The player of a rehearsal as a program of its own. */
const { values } = parseArgs({
  options: { script: { type: "string" }, position: { type: "string" }, conversation: { type: "string" } },
});
process.exitCode = await playTurn({
  script: values.script ?? "",
  position: values.position ?? "",
  conversation: values.conversation ?? null,
  cwd: process.cwd(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
});
