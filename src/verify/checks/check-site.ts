import { join } from "node:path";
import type { Check } from "../../core/loop/criterion.ts";
import type { CommandOptions, CommandOutcome, Ending } from "../../system/process/run-command.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";

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
  /** Files that only checks of this loop made: logs, reports, caches. Without: none are known. */
  readonly products?: () => readonly string[];
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

/** Runs a command of the loop's plan at its check site. */
export async function runAt(site: CheckSite, check: Check): Promise<CommandOutcome> {
  const { env, signal } = site;
  const { command, timeoutMs, passEnv } = check;
  // Outside the check's time limit.
  const giveBack = await site.takeResources(signal);
  try {
    const options = { command, cwd: folderOf(site, check), timeoutMs, env, passEnv };
    const outcome = await site.run(signal === null ? options : { ...options, signal });
    signal?.throwIfAborted();
    return outcome;
  } finally {
    giveBack();
  }
}

/** Where a check runs. */
export function folderOf(site: CheckSite, { folder }: Check): string {
  return folder === undefined ? site.folder : join(site.root, folder);
}

export function hasPassed({ ending }: CommandOutcome): boolean {
  return ending.type === "exited" && ending.code === 0;
}

export function describeEnding(ending: Ending): string {
  switch (ending.type) {
    case "exited":
      return ending.code === 0 ? "passed" : `failed with exit code ${ending.code}`;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "timed-out":
      return `did not finish within ${ending.limitMs / 1000} s`;
    case "not-started":
      return `could not start: ${ending.message}`;
    case "aborted":
      return "was interrupted";
  }
}
