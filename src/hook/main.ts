import { readFileSync } from "node:fs";
import { answerHook } from "../app/answer-hook.ts";
import { createMachine } from "../app/machine.ts";

const event = process.argv.slice(2).find((word) => !word.startsWith("-")) ?? "stop";

async function main(): Promise<void> {
  const answer = await answerHook(createMachine(process.env, process.cwd()), event, () =>
    readFileSync(0, "utf8"),
  );
  process.stderr.write(answer.stderr);
  process.stdout.write(answer.stdout);
}

void main();
