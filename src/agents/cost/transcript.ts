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
  /** What stands in each row about the queue of prompts; null: the host writes none. */
  readonly queueMark: string | null;
  /** What the user typed while the agent worked, and what still waits for the turn to end; from the rows about the queue. */
  queuedPrompts(rows: readonly string[]): readonly string[];
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

/** What one request to a model used. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Every cache write; `cacheWrite1h` says how much of it is kept for an hour. */
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
  readonly webSearches: number;
  readonly inUs: boolean;
  readonly fast: boolean;
}

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheWrite: 0,
  cacheWrite1h: 0,
  cacheRead: 0,
  webSearches: 0,
  inUs: false,
  fast: false,
};

export function tokensOf(usage: Usage): number {
  return usage.input + usage.output + usage.cacheWrite + usage.cacheRead;
}

export function promptOf(usage: Usage): number {
  return usage.input + usage.cacheWrite + usage.cacheRead;
}

/** The rows of one message repeat its usage, and early ones aren't final. */
export function greaterOf(one: Usage, other: Usage): Usage {
  return {
    input: Math.max(one.input, other.input),
    output: Math.max(one.output, other.output),
    cacheWrite: Math.max(one.cacheWrite, other.cacheWrite),
    cacheWrite1h: Math.max(one.cacheWrite1h, other.cacheWrite1h),
    cacheRead: Math.max(one.cacheRead, other.cacheRead),
    webSearches: Math.max(one.webSearches, other.webSearches),
    inUs: one.inUs || other.inUs,
    fast: one.fast || other.fast,
  };
}
