import type { Loop, LaunchedTurn } from "../../core/loop/loop.ts";
import type { Remedy, Trouble } from "../../core/stop/trouble.ts";
import type { Verdict } from "../../core/stop/verdict.ts";
import type { Sighting } from "../../agents/drivers/driver.ts";
import type { JournalEntry } from "../../core/events/event.ts";

/** What a run reports to its views, in order. */
export type RunNews =
  | {
      readonly type: "began";
      readonly loop: Loop;
      readonly agent: string;
      /** What the agent may do, to follow "may"; null if unknown. */
      readonly permits: string | null;
      readonly resumed: boolean;
    }
  /** A turn of an earlier run was still open, and is now settled. */
  | {
      readonly type: "recovered";
      readonly loop: Loop;
      readonly turn: LaunchedTurn;
      readonly finished: boolean;
    }
  /**
   * What `loop undo` won't restore: all files if no checkpoint could be taken, or those missing from it. `why` is null if there
   * is no repository.
   */
  | { readonly type: "unkept"; readonly files: "all" | readonly string[]; readonly why: string | null }
  | { readonly type: "launched"; readonly loop: Loop; readonly turn: LaunchedTurn }
  | { readonly type: "seen"; readonly sighting: Sighting; readonly usd: number | null }
  /** The agent's process and everything it started have ended. */
  | { readonly type: "returned"; readonly turn: LaunchedTurn }
  | { readonly type: "checking"; readonly name: string }
  | { readonly type: "checked"; readonly name: string; readonly passed: boolean }
  | { readonly type: "judged"; readonly loop: Loop; readonly verdict: Verdict }
  | { readonly type: "troubled"; readonly loop: Loop; readonly trouble: Trouble; readonly remedy: Remedy }
  | { readonly type: "waiting"; readonly loop: Loop; readonly until: number; readonly detail: string }
  | { readonly type: "recorded"; readonly entries: readonly JournalEntry[] }
  /** `isNamed`: several loops are open, so a command has to name the one it means. `canUndo`: there are checkpoints. */
  | { readonly type: "ended"; readonly loop: Loop; readonly isNamed: boolean; readonly canUndo: boolean };
