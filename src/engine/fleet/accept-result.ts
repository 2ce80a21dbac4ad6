import type { Project } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { allRef, resultRef, unfinishedRef } from "../../worktrees/attempts/list-worktrees.ts";
import { keepCommit } from "../../worktrees/checkpoints/refs.ts";
import { hasCommit, onlyParent, takePack } from "../../worktrees/integration/packs.ts";
import { learn } from "../learnings/learnings-file.ts";
import type { AttemptEnvelope, AttemptOutcome, AttemptResult } from "../plan/executor.ts";
import type { AttemptMirror } from "./attempt-mirror.ts";
import type { FleetEngine } from "./fleet-engine.ts";
import { readSigned } from "./keys.ts";
import { readResult, type FleetResult } from "./messages.ts";
import { lost } from "./untold-results.ts";

/** A result, and whose it is. */
export interface Told {
  readonly fingerprint: string;
  readonly result: FleetResult;
}

/** What a worker says came of a job; or, in words, why nobody believes it. */
export function readTold(
  text: string,
  job: { readonly id: string; readonly position: number; readonly worker: string | null },
  pins: ReadonlyMap<string, string>,
): Told | string {
  const message = readSigned(text);
  if (message === null) return "it isn't signed, or was altered.";
  const { by } = message;
  if (!pins.has(by)) return `it is signed by ${by}, which you haven't accepted.`;
  const result = readResult(message.body);
  if (result === null) return "it has a form that this version doesn't know; update the older of the two.";
  if (result.job !== job.id) return "it is of another execution.";
  if (result.written !== job.position || (job.worker !== null && job.worker !== by))
    return "what its worker told before is missing, or was altered.";
  return { fingerprint: by, result };
}

export interface Accepting {
  readonly engine: FleetEngine;
  readonly machine: Machine;
  readonly project: Project;
  readonly envelope: AttemptEnvelope;
  readonly mirror: AttemptMirror;
  readonly ask: <Value>(asked: () => Promise<Value>) => Promise<Value>;
}

/** Brings its commits and its learnings here, as if the attempt had been made here. */
export async function acceptResult(accepting: Accepting, { result }: Told): Promise<AttemptResult> {
  const { envelope, machine, project, mirror } = accepting;
  const { usage, evidence, learnings, commits } = result;
  const which = { ...envelope, loop: envelope.workflow };
  const kept = [
    { commit: commits.result, ref: resultRef(which) },
    { commit: commits.all, ref: allRef(which) },
    { commit: commits.unfinished, ref: unfinishedRef(which) },
  ];
  let why: string | null = null;
  for (const { commit, ref } of kept)
    if (commit !== null && commit !== envelope.base) why ??= await bring(accepting, commit, ref);
  const outcome = why === null ? believed(envelope, result) : lost(`Its files didn't arrive: ${why}.`);
  if (outcome.type !== "stopped" && outcome.type !== "paused")
    learn(machine, project.root, learnings, envelope.loop);
  return { key: envelope.key, outcome, usage, evidence, learnings, journal: [...mirror.records] };
}

/** A result is the commit that was sent, or nothing was changed. */
function believed({ base, criteria }: AttemptEnvelope, { outcome, commits }: FleetResult): AttemptOutcome {
  if (outcome.type !== "finished") return outcome;
  const isSent = outcome.commit === base || outcome.commit === commits.result;
  if (!isSent) return lost("Its result names a commit that it didn't send.");
  return outcome.confidence === "verified" && criteria.length === 0
    ? { ...outcome, confidence: "unverified" }
    : outcome;
}

/** Why a commit isn't here; null: it is, and kept in its ref. */
async function bring(
  { engine, project: { root }, envelope: { base }, ask }: Accepting,
  commit: string,
  ref: string,
): Promise<string | null> {
  if (!(await hasCommit(root, commit))) {
    const rows = await ask(async () => engine.code(commit));
    for (const { needs, pack } of rows) if (await takePack({ root, commit, needs, pack })) break;
    if (!(await hasCommit(root, commit))) return "their pack is missing or damaged";
  }
  if ((await onlyParent(root, commit)) !== base) return "they aren't based on what it started from";
  const kept = await keepCommit({ root, ref, commit });
  // Unfinished work of an earlier execution may be there already.
  return kept.type === "failed" ? kept.why : null;
}
