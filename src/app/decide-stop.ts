import { lookAtMustNots } from "../checks/must-nots.ts";
import { runChecks } from "../checks/run-checks.ts";
import type { SessionId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import { isEnded, topFrame } from "../core/loop.ts";
import { decide } from "../core/stop/decide.ts";
import { mergeFindings } from "../core/stop/facts.ts";
import type {
  DrivenTurn,
  Findings,
  Need,
  Spent,
  StopFacts,
  StopRequest,
  Subject,
} from "../core/stop/facts.ts";
import type { Verdict } from "../core/stop/verdict.ts";
import { isDisabled } from "../hosts/disabled.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LoopLock } from "../store/loop-lock.ts";
import { isTrusted, readLock } from "../store/loop-lock.ts";
import type { Standing } from "../loops/loop-store.ts";
import { loadLoop, transactWithClaims } from "../loops/loop-store.ts";
import { projectAt } from "../store/project.ts";
import { findSession, forgetSession } from "../store/session-index.ts";
import { headCommit } from "../git/run-git.ts";
import { treeDigest } from "../tree/tree-digest.ts";
import { checkInBackground, mayOutlast } from "./background-checks.ts";
import { checkSiteOf } from "./check-site-of.ts";
import { spentSince } from "./spending.ts";
import type { Machine } from "../loops/machine.ts";

export interface StopAnswer {
  readonly verdict: Verdict;
  /** The loop after the decision; null where there is none to speak of. */
  readonly loop: Loop | null;
}

/** More questions than this in one decision would be a mistake of ours, and a mistake lets go. */
const ROUNDS = 8;

/** A host's stop, whose transcript tells what it cost, or a driven turn, whose cost is on record already. */
export type Account = { readonly transcriptPath: string | null } | { readonly turn: DrivenTurn };

/** The stop decision with its surroundings: looks up the caller's loop, gathers what is asked for, records, answers. */
export async function decideStop(
  machine: Machine,
  request: StopRequest,
  account: Account,
): Promise<StopAnswer> {
  const facts: StopFacts = {
    ...request,
    now: machine.now(),
    // A run is nobody's hook: what switches hooks off says nothing to it.
    disabled: "transcriptPath" in account && isDisabled(machine.env),
    trusted: true,
    spent: null,
    findings: {},
    ...("turn" in account ? { turn: account.turn } : {}),
  };
  if (facts.disabled || request.session === null) return withoutLoop(facts);
  const entry = findSession(machine.home, request.session);
  if (entry === null) return withoutLoop(facts);

  const lock = readLock(machine.home, entry.root, entry.loop);
  if (lock === null) return { verdict: { type: "let-go", because: "untrusted" }, loop: null };
  const loaded = load(machine, entry.root, entry.loop, request.session);
  if ("verdict" in loaded) return loaded;
  // What was seen stays seen when another writer was first and the decision is made again.
  let findings: Findings = {};
  const { result, standing } = await transactWithClaims(loaded, machine.now, async (loop, claims) => {
    const said = { ...facts.said, claims: [...claims, ...facts.said.claims] };
    const trusted = isTrusted(readLock(machine.home, entry.root, loop.id) ?? lock, loop);
    const spent = trusted ? spentBy(machine, loop, account) : null;
    for (let round = 0; round < ROUNDS; round += 1) {
      const decision = decide(subjectOf(loaded, loop), { ...facts, said, trusted, spent, findings });
      if (decision.type === "verdict") return { events: decision.events, result: decision.verdict };
      for (const need of decision.needs) {
        findings = mergeFindings(findings, await gather(machine, loaded, lock, loop, need));
      }
    }
    throw new Error("the stop decision kept asking");
  });
  // The session is free again; its later stops need not look.
  if (isEnded(standing.loop)) forgetSession(machine.home, request.session, standing.loop.id);
  return { verdict: result, loop: standing.loop };
}

function spentBy(machine: Machine, loop: Loop, account: Account): Spent | null {
  if ("turn" in account) return null;
  const { transcriptPath } = account;
  return transcriptPath === null ? null : spentSince(machine, loop.transcriptCursor, transcriptPath);
}

function subjectOf({ damagedStateFile }: Standing, loop: Loop): Subject {
  if (damagedStateFile === null) return { type: "loop", loop };
  return { type: "loop", loop, damage: `${damagedStateFile}; repair or delete it` };
}

function load(machine: Machine, root: string, id: Loop["id"], session: SessionId): Standing | StopAnswer {
  try {
    return loadLoop(projectAt(root), id);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    if (error.code === "newer")
      return { verdict: { type: "let-go", because: "newer", why: error.message }, loop: null };
    if (error.code !== "missing") return aborted(error.message);
    // Said once: with the entry gone, the next stop finds no loop.
    forgetSession(machine.home, session, id);
    return { verdict: { type: "let-go", because: "deleted" }, loop: null };
  }
}

async function gather(
  machine: Machine,
  standing: Standing,
  lock: LoopLock,
  loop: Loop,
  need: Need,
): Promise<Findings> {
  const { project } = standing;
  const site = checkSiteOf(machine, project, loop);
  switch (need.type) {
    case "tree": {
      const [tree, head] = await Promise.all([
        treeDigest({ root: project.root, stateHome: machine.home }),
        headCommit(project.root),
      ]);
      return { tree, head };
    }
    case "must-nots":
      return { mustNots: await lookAtMustNots(site, loop.mustNots, lock.mustNotFiles) };
    case "checks": {
      const checks = topFrame(loop).criteria.flatMap(({ name, check }) =>
        check !== null && need.names.includes(name) ? [{ name, check }] : [],
      );
      if (mayOutlast(machine, checks)) return checkInBackground(machine, standing, loop, checks);
      const { tree, evidence } = await runChecks(site, checks);
      return { tree, checks: evidence };
    }
  }
}

function withoutLoop(facts: StopFacts): StopAnswer {
  const decision = decide({ type: "none" }, facts);
  if (decision.type !== "verdict") throw new Error("nothing can be needed where there is no loop");
  return { verdict: decision.verdict, loop: null };
}

function aborted(why: string): StopAnswer {
  return { verdict: { type: "let-go", because: "aborted", why }, loop: null };
}
