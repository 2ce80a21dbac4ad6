import type { CommandLine } from "../core/criterion.ts";
import { pathIn } from "./project-path.ts";
import { quoted } from "./shell/quoted.ts";
import { simpleCommands } from "./shell/simple-commands.ts";

const SEARCHERS = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);

/**
 * The paths that a check's own line searches: `! grep -r TODO src`. They are words that may be paths; whether they were is for
 * the caller to see.
 */
export function searchedPaths(command: CommandLine, folder: string, root: string): readonly string[] {
  const line = command.kind === "shell" ? command.line : command.argv.map(quoted).join(" ");
  return simpleCommands(line)
    .filter(({ words: [program = ""] }) => SEARCHERS.has(program))
    .flatMap(({ words }) => words.slice(1).filter((word) => !word.startsWith("-")))
    .map((word) => pathIn(folder, word, root))
    .filter((path): path is string => path !== null && path !== "");
}
