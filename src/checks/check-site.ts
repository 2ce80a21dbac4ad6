import type { TreeReading } from "../tree/tree-digest.ts";
import type { CommandOptions, CommandOutcome } from "../process/run-command.ts";

/** Where checks run, and what they are held to. */
export interface CheckSite {
  /** The top folder of the worktree: what digests cover, and what globs are relative to. */
  readonly root: string;
  /** Where commands run that name no folder of their own. */
  readonly folder: string;
  /** The loop's `evidence/`; outputs are kept there while it exists. null: there is no loop yet. */
  readonly evidenceFolder: string | null;
  readonly protects: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly run: (options: CommandOptions) => Promise<CommandOutcome>;
  readonly readTree: () => Promise<TreeReading | null>;
  /** Told before each check and after it, for those who watch. */
  readonly progress: {
    readonly checkBegins: (name: string) => void;
    readonly checkEnds: (name: string, passed: boolean) => void;
  };
  /** Ends what runs in the middle, and whoever asked for it gets an error instead of evidence. */
  readonly signal: AbortSignal | null;
}
