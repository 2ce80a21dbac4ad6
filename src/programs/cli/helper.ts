import { parseArgs } from "node:util";
import { playTurn } from "../../agents/rehearsal/play.ts";
import { watchOver } from "../../system/process/guardian.ts";
import { endWithoutTerminal, endWithReaders, exitOnSignals } from "./ending-process.ts";

endWithReaders();
endWithoutTerminal();
exitOnSignals();

/** What a run starts beside itself and for each turn: nothing of the command line is loaded for them. */
async function main([helper, ...words]: readonly string[]): Promise<void> {
  if (helper === "guardian") return watchOver(words[0] ?? "", process.stdin);
  const { script = "", position = "", conversation = null } = playOf(words);
  process.exitCode = await playTurn({
    script,
    position,
    conversation,
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
  });
}

function playOf(words: readonly string[]): { script?: string; position?: string; conversation?: string } {
  return parseArgs({
    args: [...words],
    options: { script: { type: "string" }, position: { type: "string" }, conversation: { type: "string" } },
  }).values;
}

void main(process.argv.slice(2));
