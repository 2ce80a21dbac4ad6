import { join, parse } from "node:path";
import type { CommandLine } from "../../core/loop/criterion.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";

/**
 * The command with an absolute path to its program. By name alone, a relative PATH entry could find a program of the project the
 * agent is started in.
 */
export function commandOnPath(command: CommandLine, env: NodeJS.ProcessEnv): CommandLine {
  if (command.kind === "shell") return command;
  const [program, ...args] = command.argv;
  if (/[\\/]/.test(program)) return command;
  // If it doesn't exist, starting it reports that.
  return {
    kind: "argv",
    argv: [findOnPath(program, env) ?? join(parse(process.execPath).root, program), ...args],
  };
}
