import { JAVASCRIPT_TOOLS } from "./javascript.ts";
import { OTHER_TOOLS } from "./other-languages.ts";
import { PYTHON_TOOLS } from "./python.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [...JAVASCRIPT_TOOLS, ...PYTHON_TOOLS, ...OTHER_TOOLS];

const BY_COMMAND = new Map(TOOLS.flatMap((tool) => tool.commands.map((command) => [command, tool] as const)));

/** The tool that a program and its arguments mean; a subcommand may come after options. */
export function toolOf(program: string, args: readonly string[]): Tool | null {
  for (const word of args) {
    const tool = BY_COMMAND.get(`${program} ${word}`);
    if (tool !== undefined) return tool;
  }
  return BY_COMMAND.get(program) ?? null;
}
