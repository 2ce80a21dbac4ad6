import { createLoopId, type LoopId, type SessionId } from "../../core/loop/id.ts";
import type { Spent } from "../../core/stop/facts.ts";
import { createTurnFolder, type TurnFolder } from "../run/turn-folder.ts";
import type { Purpose } from "../../core/questions/question.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runsFolder } from "../lifecycle/turn-folders.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { createScratch, removeScratch, roomsFolder } from "../../system/room/scratch.ts";
import { loopFolder, type Project } from "../../storage/home/project.ts";

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

/** What a command pays itself, without a loop. */
interface PlainAccount extends Account {
  readonly spend: () => { readonly usd: number; readonly priced: boolean; readonly told: boolean };
  /** Nothing of it is kept. */
  readonly leave: () => Promise<void>;
}

export async function plainAccount(machine: Machine, root: string, budgetUsd: number): Promise<PlainAccount> {
  const scratch = await createScratch(roomsFolder(machine.home));
  const project: Project = { root, folder: scratch };
  const loop = createLoopId("plan", randomBytes(4).toString("hex"));
  mkdirSync(loopFolder(project, loop), { recursive: true, mode: 0o700 });
  let spend = { usd: 0, priced: true, told: true };
  const refusal = (): string | null =>
    spend.usd >= budgetUsd ? `$${spend.usd.toFixed(2)} of $${budgetUsd.toFixed(2)} are spent` : null;
  return {
    run: `run-${randomUUID()}` as SessionId,
    loop,
    answers: join(scratch, "answers"),
    folder: runsFolder(project, loop),
    refusal: async () => refusal(),
    open: async ({ id, prompt }) => {
      const why = refusal();
      if (why !== null) return { why };
      return { folder: createTurnFolder(project, loop, id, prompt), budgetUsd: budgetUsd - spend.usd };
    },
    close: async (_entry, failure, { usd, tokens, priced }) => {
      const isUntold = !priced && usd === 0 && tokens === 0 && failure === null;
      spend = { usd: spend.usd + usd, priced: spend.priced && priced, told: spend.told && !isUntold };
    },
    spend: () => spend,
    leave: async () => removeScratch(scratch),
  };
}
