import { appendFileSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { answerCall } from "../../src/programs/hook/answer-call.ts";
import { answerIn } from "../../src/programs/hook/engine.ts";
import { recognise } from "../../src/agents/hosts/hosts.ts";
import { execute } from "../../src/programs/cli/execute.ts";
import { createTerminal } from "../../src/views/terminal/terminal.ts";

/** `loop …` or `hook …` from the sources: see `walked-program.ts`. */
const notes = process.env["LOOP_WALK"] ?? "/dev/null";
/** With `LOOP_WALK_FROM`, the walk begins when that file is first met. */
let begin = process.env["LOOP_WALK_FROM"];
const seen = new Set<string>();

Object.assign(globalThis, {
  walkedThrough: (file: string): void => {
    if (file === begin) begin = undefined;
    if (begin !== undefined || seen.has(file)) return;
    seen.add(file);
    appendFileSync(notes, `${file}\n`);
  },
});

const [program, ...words] = process.argv.slice(2);
const { env } = process;
const cwd = process.cwd();
const cli = resolve(env["LOOP_CLI"] ?? "dist/cli.js");
const readInput = (): string => readFileSync(0, "utf8");

if (program === "hook") {
  const answer = await answerCall(words, {
    env,
    readInput,
    loadEngine: () => ({ answer: async (call) => answerIn({ env, cwd, cli }, recognise(call)) }),
  });
  process.stdout.write(answer.stdout);
  answer.delivered?.();
} else {
  const { stdin, stdout, stderr } = process;
  const terminal = createTerminal(env, { stdin, stdout, stderr });
  process.exitCode = await execute(words, { env, cwd, cli, terminal, readInput });
}
