/** One thing that an agent does in its project, as its program reads it. */
export type Edit =
  | { readonly write: string; readonly text: string }
  | { readonly remove: string }
  | { readonly run: string };

export interface Turn {
  readonly edits: readonly Edit[];
  readonly says: string;
  /** Whether the work is right after this turn: what no gate is told. */
  readonly isRight: boolean;
}

/** What an agent does with a task, and what a user who gave it said beyond the spec. */
export interface Script {
  /** The project before the loop is opened, where it differs from the task's. */
  readonly opening?: readonly Edit[];
  readonly spec?: string;
  /** What the user has for a check instead of the task's, or null: somebody's word. */
  readonly check?: string | null;
  /** One after the other, each ending in a claim. An agent that is held after the last one plays it again. */
  readonly turns: readonly [Turn, ...Turn[]];
}

/** A claim in the forms that gates look for. */
const CLAIM = `All success criteria satisfied.
---LOOP_STATUS---
EXIT_SIGNAL: true
---END_STATUS---`;

export const write = (path: string, text: string): Edit => ({ write: path, text });
export const remove = (path: string): Edit => ({ remove: path });
export const run = (line: string): Edit => ({ run: line });

export function writes(files: ReadonlyMap<string, string>): readonly Edit[] {
  return [...files].map(([path, text]) => write(path, text));
}

export function right(edits: readonly Edit[]): Turn {
  return { edits, says: CLAIM, isRight: true };
}

export function wrong(edits: readonly Edit[]): Turn {
  return { edits, says: CLAIM, isRight: false };
}
