import { join } from "node:path";
import { priceTable } from "../stop/spending.ts";
import { runsFolder } from "../lifecycle/turn-folders.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { type SessionId, createLoopId, type LoopId } from "../../core/loop/id.ts";
import { isActiveFor, isEnded, type Loop } from "../../core/loop/loop.ts";
import { promisedUsd } from "../../core/plan/budget.ts";
import type { Spent } from "../../core/stop/facts.ts";
import { usedUpLimit } from "../../core/stop/limits.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { driverOf, parseDriverId, type AgentChoice } from "../run/agent-choice.ts";
import { outputQuota, createTurnFolder, turnFolder, type TurnFolder } from "../run/turn-folder.ts";
import { approvalFolder } from "../../storage/home/approval-record.ts";
import { agentAsker } from "./agent-asker.ts";
import type { Asker, Purpose } from "../../core/questions/question.ts";
import type { OpenQuestion } from "../../core/stages/stages.ts";
import { livingDriver } from "../../storage/loops/known-loop.ts";
import { endLeftovers } from "../run/recover-turn.ts";
import { readKept, reportOf } from "../run/turn-report.ts";
import { redactor } from "../../system/secrets/redact.ts";
import { throwAway } from "../../worktrees/attempts/remove-worktree.ts";
import { keptContinued } from "./kept-answers.ts";
import { worktreeOf } from "./asked-agent.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createScratch, removeScratch, roomsFolder } from "../../system/room/scratch.ts";
import { loopFolder, type Project } from "../../storage/home/project.ts";

interface AskingLoop {
  readonly machine: Machine;
  readonly live: LiveLoop;
  readonly run: SessionId;
  readonly choice: AgentChoice;
  readonly cli: string;
}

/** A loop pays: the intent is in its journal before an agent starts, and the cost in one record with the end. */
function loopAccount(machine: Machine, live: LiveLoop, run: SessionId): Account {
  const { project, id } = live;
  const quota = outputQuota(project, id);
  const refusalIn = (loop: Loop): string | null => whyNot(loop, run, machine.now());
  return {
    run,
    loop: id,
    answers: join(approvalFolder({ home: machine.home, root: project.root, loop: id }), "answers"),
    folder: runsFolder(project, id),
    refusal: async () => refusalIn(await live.refresh()),
    open: async ({ id: name, purpose, agent, model, prompt }) => {
      quota.make();
      const folder = createTurnFolder(project, id, name, prompt);
      quota.isUsedBy(folder.id);
      let why: string | null = null;
      const loop = await live.record((now) => {
        why = refusalIn(now);
        return why === null
          ? [{ type: "question.asked", question: folder.id, run, purpose, agent, model }]
          : [];
      });
      return why === null ? { folder, budgetUsd: shareUsd(loop) } : { why };
    },
    close: async ({ folder }, failure, spent) =>
      void (await live.record((loop) => eventsOfClose(loop, folder.id, failure, spent))),
  };
}

/** Puts questions to the agent that works on a loop, or to its reviewer, and lets the loop pay. */
export function askerOfLoop({ machine, live, run, choice, cli }: AskingLoop): Asker {
  return agentAsker({
    machine,
    root: live.project.root,
    account: loopAccount(machine, live, run),
    choice,
    prices: priceTable(machine),
    cli,
  });
}

/** Once: a question that is closed costs no more. After the loop's end, only its cost is still recorded. */
export function eventsOfClose(
  loop: Loop,
  question: string,
  failure: string | null,
  { usd, tokens, priced }: Spent,
): readonly LoopEvent[] {
  if (loop.stages?.questions.some(({ id }) => id === question) !== true) return [];
  // An agent that reported no bill hasn't answered for free.
  const isUntold = !priced && failure === null;
  const charged: readonly LoopEvent[] =
    usd === 0 && tokens === 0 && !isUntold ? [] : [{ type: "cost.charged", usd, tokens, priced }];
  return isEnded(loop) ? charged : [{ type: "question.closed", question, failure }, ...charged];
}

function whyNot(loop: Loop, run: SessionId, now: number): string | null {
  if (loop.stages?.policy.asks !== true) return "no model is asked in this loop";
  if (!isActiveFor(loop, run)) return "the loop was stopped";
  const trip = usedUpLimit(loop, now);
  if (trip !== null) return `the budget is used up (${trip.detail})`;
  const left = leftUsd(loop);
  return left !== null && left <= 0 ? "what is left of the budget is promised to attempts that run" : null;
}

/** Half of what those that are asked already were left: however many are asked at once, together they stay within it. */
function shareUsd(loop: Loop): number | null {
  const left = leftUsd(loop);
  return left === null ? null : left / 2 ** (loop.stages?.questions.length ?? 1);
}

function leftUsd({ limits: { budgetUsd }, spend, workflow }: Loop): number | null {
  if (budgetUsd === null) return null;
  return budgetUsd - spend.usd - (workflow === null ? 0 : promisedUsd(workflow));
}

/**
 * Closes the questions of runs that were killed: ends what is left of them, charges what they had printed, and removes where they
 * read. They may be asked again. `run`: the one that drives the loop now; null: nobody does.
 */
export async function closeAbandonedQuestions(
  machine: Machine,
  live: LiveLoop,
  run: SessionId | null,
): Promise<void> {
  const loop = await live.refresh();
  if (isEnded(loop) || (run === null && livingDriver(loop) !== null)) return;
  for (const question of loop.stages?.questions ?? [])
    if (question.run !== run) await closeAbandoned(machine, live, question);
}

async function closeAbandoned(machine: Machine, live: LiveLoop, question: OpenQuestion): Promise<void> {
  await endLeftovers(question.run);
  const { project, id } = live;
  const spent = spentOn(machine, turnFolder(project, id, question.id), question);
  await live.record((loop) => eventsOfClose(loop, question.id, "its run was killed", spent));
  const name = question.id.replace(/-\d+$/, "");
  await throwAway(worktreeOf({ stateHome: machine.home, root: project.root, loop: id, question: name }));
}

/** By what it had printed. */
function spentOn(machine: Machine, folder: TurnFolder, { agent, model }: OpenQuestion): Spent {
  const driver = parseDriverId(agent);
  // An agent that this program doesn't know: nobody can read what it printed.
  if (driver === null) return { usd: 0, tokens: 0, priced: true, cursor: null };
  const description = driverOf({ driver, command: null, script: null }, "");
  const reader = description.readStream({ model, ...keptContinued(folder) });
  const ran = readKept(folder, reader, machine.now());
  return reportOf(ran, priceTable(machine), redactor(machine.env)).spent;
}

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
