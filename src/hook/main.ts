import { readFileSync } from "node:fs";
import { answerHook } from "../app/answer-hook.ts";
import { createMachine } from "../app/machine.ts";

const [event = "stop"] = process.argv.slice(2).filter((word) => !word.startsWith("-"));

void answerHook(createMachine(process.env, process.cwd()), event, () => readFileSync(0, "utf8")).then(
  (answer) => {
    process.stderr.write(answer.stderr);
    process.stdout.write(answer.stdout);
  },
);
