import { parseArgs } from "node:util";
import { playTurn } from "../../agents/rehearsal/play-turn.ts";
import { watchOver } from "../../system/process/guardian.ts";
import { endWithoutTerminal, endWithReaders, exitOnSignals } from "./ending-process.ts";

endWithReaders();
endWithoutTerminal();
exitOnSignals();

/** What a run starts beside itself and for each turn: nothing of the command line is loaded for them. */
async function main([helper, ...words]: readonly string[]): Promise<void> {
  switch (helper) {
    case "guardian":
      return watchOver(words[0] ?? "", process.stdin);
    case "speak-acp": {
      const { speakFor } = await import("./speak-acp.ts");
      // Something the agent started may still hold its pipes: its end is the run's to see to.
      return process.exit(await speakFor(words));
    }
    case undefined:
    default:
      process.exitCode = await playFor(words);
  }
}

async function playFor(words: readonly string[]): Promise<number> {
  const { script = "", position = "", conversation = null } = playOf(words);
  return playTurn({
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
