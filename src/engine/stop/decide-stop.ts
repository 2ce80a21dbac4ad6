import { runChecks, type NamedCheck } from "../../verify/checks/run-checks.ts";
import { isRepeatable, type Evidence } from "../../core/loop/criterion.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { SessionId } from "../../core/loop/id.ts";
import { isEnded, topFrame, type Loop } from "../../core/loop/loop.ts";
import { decide } from "../../core/stop/decide.ts";
import { mergeObservations } from "../../core/stop/facts.ts";
import type {
  DrivenTurn,
  Observations,
  Need,
  Spent,
  StopFacts,
  StopRequest,
  Subject,
} from "../../core/stop/facts.ts";
import type { Verdict } from "../../core/stop/verdict.ts";
import type { Transcript } from "../../agents/cost/transcript.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { localLoop, type KnownLoop, type SessionLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { isTrusted, readApproval } from "../../storage/home/approval-record.ts";
import { forgetSession, type SessionEntry } from "../../storage/home/session-files.ts";
import { buryLoop, markUntold } from "../../storage/home/approval-marks.ts";
import type { TestReport } from "../../verify/reports/test-report.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import type { HookTimeout } from "./background-job.ts";
import {
  checkInBackground,
  foundIn,
  mayOutlast,
  settledSince,
  settleInBackground,
} from "./judge-in-background.ts";
import { checkSiteOf, checksOf, mustNotsNow } from "../opening/checks-of-loop.ts";
import { spentSince } from "./spending.ts";

export interface StopAnswer {
  readonly verdict: Verdict;
  /** The loop after the decision; null if there is none. */
  readonly loop: Loop | null;
  /** The tree reading, if nothing has happened since. */
  readonly tree: TreeReading | null;
}

const NO_LOOP = { loop: null, tree: null };

/** A decision that needs more rounds than this is a bug, and a bug lets the agent go. */
const ROUNDS = 16;

/** A host's stop, with the cost in its transcript, or a driven turn, whose cost is already recorded. */
export type Account = { readonly transcript: Transcript | null } | { readonly turn: DrivenTurn };

/** How long a stop decision may take. */
export interface StopOptions {
  /** How long the caller waits for checks, and the program that continues them; null: as long as they take. */
  readonly hookTimeout: HookTimeout | null;
  /** Stops running checks; their results are discarded. */
  readonly signal: AbortSignal | null;
}

/** The stop decision and everything around it: gathers what the decision needs, records the verdict, returns it. */
export async function decideStop(
  machine: Machine,
  own: SessionLoop,
  request: StopRequest,
  account: Account,
  options: StopOptions,
): Promise<StopAnswer> {
  const facts: StopFacts = {
    ...request,
    now: machine.now(),
    // The hook's front door has asked: a disabled hook decides nothing.
    disabled: false,
    trusted: true,
    spent: null,
    findings: {},
    ...("turn" in account ? { turn: account.turn } : {}),
  };
  if (request.session === null || own.type === "none") return withoutLoop(facts);
  if (own.type === "untrusted") return { verdict: { type: "let-go", because: "untrusted" }, ...NO_LOOP };
  if (own.type === "unreadable") return unreadable(machine, own, request.session);
  const { known } = own;
  const { live } = known;
  // Findings are kept when another writer was first and the decision is made again.
  let findings: Observations = live.loop.workflow === null ? {} : settledSince(machine, known);
  let seen: Seen = { tree: null, reports: new Map(), evidence: new Map() };
  const until = options.hookTimeout === null ? null : machine.now() + options.hookTimeout.ms;
  try {
    const verdict = await live.transact(async ({ loop, claims, damage }) => {
      const said = { ...facts.said, claims: [...claims, ...facts.said.claims] };
      const trusted = isTrustedNow(machine, known, loop);
      const spent = trusted ? spentBy(machine, loop, account) : null;
      for (let round = 0; round < ROUNDS; round += 1) {
        const decision = decide(subjectOf(loop, damage), { ...facts, said, trusted, spent, findings });
        if (decision.type === "verdict") {
          if ("transcript" in account && decision.events.some(isEnding))
            markUntold(localLoop(machine, known));
          return { events: decision.events, result: decision.verdict };
        }
        for (const need of decision.needs) {
          const gathered = await gather(machine, known, need, seen, shortened(machine, options, until));
          findings = mergeObservations(findings, gathered.findings);
          seen = {
            tree: gathered.tree,
            reports: new Map([...seen.reports, ...(gathered.reports ?? [])]),
            evidence: new Map([...seen.evidence, ...(gathered.evidence ?? [])]),
          };
        }
      }
      throw new Error("the stop decision kept asking");
    });
    // The session is free again, so its later stops need not look for a loop.
    if (isEnded(live.loop)) forgetSession(machine.home, request.session, live.id);
    return { verdict, loop: live.loop, tree: seen.tree };
  } catch (error) {
    // It was deleted or damaged after it was opened.
    if (!(error instanceof JournalError)) throw error;
    return unreadable(machine, { entry: own.entry, error }, request.session);
  }
}

function isEnding({ type }: LoopEvent): boolean {
  return type === "loop.completed" || type === "loop.paused";
}

/** The caller waits once, however many needs a decision has. */
function shortened(machine: Pick<Machine, "now">, options: StopOptions, until: number | null): StopOptions {
  if (options.hookTimeout === null || until === null) return options;
  return { ...options, hookTimeout: { ...options.hookTimeout, ms: Math.max(0, until - machine.now()) } };
}

/** A plan may have been approved since the approval record was read. */
function isTrustedNow(machine: Pick<Machine, "home">, known: KnownLoop, loop: Loop): boolean {
  if (isTrusted(known.approval, loop)) return true;
  const now = readApproval(localLoop(machine, known));
  return now !== null && isTrusted(now, loop);
}

function spentBy(machine: Machine, loop: Loop, account: Account): Spent | null {
  if ("turn" in account) return null;
  const { transcript } = account;
  return transcript === null ? null : spentSince(machine, loop, transcript);
}

function subjectOf(loop: Loop, damage: string | null): Subject {
  if (damage === null) return { type: "loop", loop };
  return { type: "loop", loop, damage: `${damage}; repair or delete it` };
}

function unreadable(
  machine: Pick<Machine, "home" | "now">,
  { entry, error }: { readonly entry: SessionEntry; readonly error: JournalError },
  session: SessionId,
): StopAnswer {
  // Nothing is wrong with the loop itself.
  if (error.code === "newer" || error.code === "unwritable")
    return { verdict: { type: "let-go", because: "unusable", why: error.message }, ...NO_LOOP };
  if (error.code !== "missing") return aborted(error.message);
  buryLoop(machine.home, { ...entry, session, at: machine.now() });
  // Said only once: without the entry, the next stop finds no loop.
  forgetSession(machine.home, session, entry.loop);
  return { verdict: { type: "let-go", because: "deleted" }, ...NO_LOOP };
}

/** The findings gathered so far for a decision. */
interface Seen {
  /** The tree reading, if nothing has happened since. */
  readonly tree: TreeReading | null;
  /** The test reports in the checks' outputs. */
  readonly reports: ReadonlyMap<string, TestReport | null>;
  readonly evidence: ReadonlyMap<string, Evidence>;
}

interface Gathered {
  readonly findings: Observations;
  readonly tree: Seen["tree"];
  readonly reports?: Seen["reports"];
  readonly evidence?: Seen["evidence"];
}

async function gather(
  machine: Machine,
  known: KnownLoop,
  need: Need,
  seen: Seen,
  options: StopOptions,
): Promise<Gathered> {
  const { live, workingDirectory } = known;
  const { loop } = live;
  switch (need.type) {
    case "tree": {
      const [tree, head] = await Promise.all([
        machine.git.readTree(workingDirectory.root),
        machine.git.headCommit(workingDirectory.root),
      ]);
      return { findings: { ...foundIn(tree), head }, tree };
    }
    case "must-nots": {
      const mustNots = await mustNotsNow(machine, known, options.signal);
      // A command may have changed the files.
      const isUntouched = loop.mustNots.every(({ kind }) => kind === "path");
      return { findings: { mustNots }, tree: isUntouched ? seen.tree : null };
    }
    case "checks": {
      // In the requested order: what failed last time comes first.
      const { criteria } = topFrame(loop);
      const checks = checksOf(
        need.names.flatMap((name) => criteria.find((each) => each.name === name) ?? []),
      );
      // A check with side effects starts once and is never handed to another process.
      const own = checks.some(({ check }) => check.use === "once")
        ? { ...options, hookTimeout: null }
        : options;
      return withinHookTimeout(machine, known, checks, own, async (signal) => {
        const shown = await runChecks(checkSiteOf(machine, known, signal), checks, { tree: seen.tree });
        const { tree, evidence, reports, written } = shown;
        if (written.size > 0) await noteWrittenBy(machine, known, [...written.values()].flat());
        return { findings: { ...foundIn(tree), checks: evidence }, tree, reports, evidence };
      });
    }
    case "proofs": {
      const checks = checksOf(topFrame(loop).criteria.filter(isRepeatable));
      return withinHookTimeout(machine, known, checks, options, async (signal) => {
        // Loaded only here, for a claim that its checks confirm.
        const { gatherProofs } = await import("../../verify/proofs/gather-proofs.ts");
        const { proven, tree } = await gatherProofs(
          machine,
          known,
          checkSiteOf(machine, known, signal),
          seen,
        );
        return { findings: { ...foundIn(tree), proven }, tree };
      });
    }
    case "settlement": {
      // Only a host's hook is asked: a run settles its own plan.
      if (options.hookTimeout === null)
        return { findings: { settlement: { rejected: [] } }, tree: seen.tree };
      return { findings: await settleInBackground(machine, known, options.hookTimeout), tree: null };
    }
  }
}

/** Loaded only here: most checks add no files. */
async function noteWrittenBy(machine: Machine, known: KnownLoop, paths: readonly string[]): Promise<void> {
  const { noteWritten, baselinesOf } = await import("../../verify/baseline/loop-baselines.ts");
  noteWritten(baselinesOf(machine, known), paths);
}

/** Runs them here, or in their own process if they take longer than the caller can wait. */
async function withinHookTimeout(
  machine: Machine,
  known: KnownLoop,
  checks: readonly NamedCheck[],
  { hookTimeout, signal }: StopOptions,
  run: (signal: AbortSignal | null) => Promise<Gathered>,
): Promise<Gathered> {
  if (hookTimeout === null) return run(signal);
  const inBackground = async (): Promise<Gathered> => ({
    findings: await checkInBackground(machine, known, checks, hookTimeout),
    tree: null,
  });
  if (mayOutlast(hookTimeout, checks, known.live.loop)) return inBackground();
  // Leaves time to start them elsewhere.
  const tooLong = AbortSignal.timeout(Math.ceil(hookTimeout.ms / 2));
  try {
    return await run(signal === null ? tooLong : AbortSignal.any([signal, tooLong]));
  } catch (error) {
    if (!tooLong.aborted || signal?.aborted === true) throw error;
    return inBackground();
  }
}

function withoutLoop(facts: StopFacts): StopAnswer {
  const decision = decide({ type: "none" }, facts);
  if (decision.type !== "verdict") throw new Error("nothing can be needed where there is no loop");
  return { verdict: decision.verdict, ...NO_LOOP };
}

function aborted(why: string): StopAnswer {
  return { verdict: { type: "let-go", because: "aborted", why }, ...NO_LOOP };
}
