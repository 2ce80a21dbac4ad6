import type { LoopId, SessionId } from "../../core/loop/id.ts";
import type { Spent } from "../../core/stop/facts.ts";
import type { TurnFolder } from "../run/turn-folder.ts";
import type { Purpose } from "../../core/questions/question.ts";

/** One turn that puts a question. */
interface Entry {
  /** Of the question. */
  readonly id: string;
  readonly purpose: Purpose;
  readonly agent: string;
  readonly model: string | null;
  readonly prompt: string;
}

/** An entry whose intent is recorded: from here on, whatever it costs belongs to it. */
export interface OpenEntry {
  readonly folder: TurnFolder;
  /** What may be spent on it; null: without a limit. */
  readonly budgetUsd: number | null;
}

/** Who pays for questions, and where what belongs to them is kept. */
export interface Account {
  readonly run: SessionId;
  /** Names the worktrees. */
  readonly loop: LoopId;
  /** For answers that were usable. */
  readonly answers: string;
  /** For files that the turns of one question share. */
  readonly folder: string;
  /** Why nothing may be asked now; null: it may. */
  readonly refusal: () => Promise<string | null>;
  readonly open: (entry: Entry) => Promise<OpenEntry | { readonly why: string }>;
  readonly close: (entry: OpenEntry, failure: string | null, spent: Spent) => Promise<void>;
}
