import type { Usage } from "./usage.ts";

/** A conversation that a host keeps in a file, and how that file is read. */
export interface Transcript {
  readonly path: string;
  readonly format: TranscriptFormat;
}

/** How a host stores its conversations: one row per line. Unknown rows are ignored. */
export interface TranscriptFormat {
  usageIn(line: string): readonly UsageRow[];
  /** Whether the conversation written so far ends with this answer. The first line of a tail may be cut. */
  endsWithAnswer(tail: string, answer: string): boolean;
  /** What was said after the last row of the user or a tool; null: nothing. The first line of a tail may be cut. */
  lastAnswer(tail: string): string | null;
  /** Where the subagents of a session have their own files; null: nowhere. */
  readonly subagents: SubagentFiles | null;
}

export interface SubagentFiles {
  /** Beside the session's own file. */
  folderOf(session: string): readonly string[];
  readonly name: RegExp;
}

/** The usage that one row of a transcript reports. */
export interface UsageRow {
  readonly message: string;
  /** "" if the row doesn't say. */
  readonly request: string;
  /** Milliseconds since the epoch; null if the row doesn't say. */
  readonly at: number | null;
  readonly model: string;
  readonly usage: Usage;
}
