import { parseArgs } from "node:util";
import { playTurn } from "../../src/rehearsal/play.ts";

/** The player of a rehearsal as a program of its own. */
const { values } = parseArgs({
  options: { script: { type: "string" }, place: { type: "string" }, conversation: { type: "string" } },
});
process.exitCode = await playTurn({
  script: values.script ?? "",
  place: values.place ?? "",
  conversation: values.conversation ?? null,
  cwd: process.cwd(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
});
