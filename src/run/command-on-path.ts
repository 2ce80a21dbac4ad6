import { join, parse } from "node:path";
import type { CommandLine } from "../core/criterion.ts";
import { findOnPath } from "../files/find-on-path.ts";

/**
 * The command with its program as a whole path. By its name alone, a relative entry of PATH would find a program of the project
 * that the agent is started in.
 */
export function commandOnPath(command: CommandLine, env: NodeJS.ProcessEnv): CommandLine {
  if (command.kind === "shell") return command;
  const [program, ...args] = command.argv;
  if (/[\\/]/.test(program)) return command;
  // Where there is none, starting it says so.
  return {
    kind: "argv",
    argv: [findOnPath(program, env) ?? join(parse(process.execPath).root, program), ...args],
  };
}
