import type { Machine } from "../loops/machine.ts";
import type { Terminal } from "./terminal.ts";

export interface Context {
  readonly machine: Machine;
  readonly terminal: Terminal;
}

export function printJson(context: Context, value: unknown): void {
  context.terminal.print(JSON.stringify(value, null, 2));
}
