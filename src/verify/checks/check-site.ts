import type { TreeReading } from "../../system/tree/tree-digest.ts";
import type { CommandOptions, CommandOutcome } from "../../system/process/run-command.ts";

/** Where checks run, and what they are compared with. */
export interface CheckSite {
  /** The top folder of the worktree: what digests cover, and what globs are relative to. */
  readonly root: string;
  /** Where commands run that name no folder of their own. */
  readonly folder: string;
  /** The loop's `evidence/`, where outputs are kept while it exists. null: there is no loop yet. */
  readonly evidenceFolder: string | null;
  readonly protects: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly run: (options: CommandOptions) => Promise<CommandOutcome>;
  readonly readTree: () => Promise<TreeReading | null>;
  /** Called before and after each check, for live views. */
  readonly progress: {
    readonly checkBegins: (name: string) => void;
    readonly checkEnds: (name: string, passed: boolean) => void;
  };
  /** Called before a check starts: waits for what the project has only so many of. What it answers gives that back. */
  readonly takeResources: (signal: AbortSignal | null) => Promise<() => void>;
  /** Ends a running check; the caller gets an error instead of evidence. */
  readonly signal: AbortSignal | null;
}
