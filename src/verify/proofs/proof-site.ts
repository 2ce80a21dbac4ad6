import { createHash } from "node:crypto";
import { runAt, type CheckSite } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import { keptPart } from "../../core/output/failure-block.ts";
import type { ProofKind, ProofRan, ShownProof } from "../../core/loop/proof.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { ComparedCheck, Comparison } from "../baseline/compare.ts";
import type { Place } from "../baseline/kept-files.ts";
import type { WhichFrame } from "../baseline/baseline-record.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import type { FreshPlace } from "../../system/room/fresh-room.ts";
import { RoomError } from "../../system/room/scratch.ts";
import type { TestReport } from "../reports/test-report.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { isCode } from "../definitions/test-files.ts";
import { whyNotInCopy } from "./in-copy.ts";
import type { ProofBudget } from "./proof-budget.ts";

/** Where proofs run, and what is known before the first of them. */
export interface ProofScene {
  readonly machine: Machine;
  readonly which: WhichFrame;
  readonly site: CheckSite;
  readonly place: Place;
  readonly comparison: Comparison;
  /** The test reports of the checks' own runs. */
  readonly reports: ReadonlyMap<string, TestReport | null>;
  /** The ends of what they printed in those. */
  readonly printed?: ReadonlyMap<string, string>;
  /** The files being judged. */
  readonly reading: TreeReading | null;
  /** What ran in clean rooms, by check and files: nothing runs twice there. Without it, nothing is remembered. */
  readonly ran?: Map<string, Promise<RoomRun>>;
  /** Other surroundings than the usual ones, in every room. */
  readonly surroundings?: Surroundings;
}

/** What proofs need that try several things. */
export interface SampleScene extends ProofScene {
  /** The user's words. */
  readonly spec: string;
  /** What samples may take; a proof that decides by itself doesn't ask for it. */
  readonly budget: ProofBudget;
  /** What a check printed that failed on the files of the opening. */
  readonly failedBefore: ReadonlyMap<string, string>;
  /** When the checks themselves ran, in milliseconds since the epoch. */
  readonly runs: readonly { readonly from: number; readonly to: number }[];
}

export function comparedOf({ comparison }: ProofScene, { name }: Pick<NamedCheck, "name">): ComparedCheck {
  const compared = comparison.checks.get(name);
  if (compared === undefined) throw new Error(`${name} has no opening`);
  return compared;
}

export function proofOf(
  kind: ProofKind,
  name: string | null,
  part: Pick<ShownProof, "result"> & Partial<ShownProof>,
): ShownProof {
  return { kind, name, detail: null, files: [], output: null, ...part };
}

/** How much of an output is kept, in characters. */
const MOST_KEPT = 3_000;

/** What ran, for whoever reads about it later. */
export function ranAs({ check }: Pick<NamedCheck, "check">, { ending, output }: CommandOutcome): ProofRan {
  return {
    command: describeCheck(check),
    exitCode: ending.type === "exited" ? ending.code : null,
    output: keptPart(output, MOST_KEPT),
  };
}

/** The result of a command in a clean room, or why there is none. */
export type RoomRun =
  | {
      readonly outcome: CommandOutcome;
      /** It ran in a copy at another path, and why; null: at the project's own. */
      readonly copied: string | null;
    }
  | { readonly why: string };

/** What isn't the project's files, and is different in a room. */
export interface Surroundings {
  /** Files that are left out. */
  readonly without: readonly string[];
  readonly fresh: FreshPlace | null;
}

interface RoomWishes {
  /** One of many runs, which are not worth large copies. */
  readonly isSample?: boolean;
  /** The check as it is, where another command runs in its place. */
  readonly plain?: NamedCheck;
}

/** Runs a check in the project with some files replaced, once. The project itself doesn't change. */
export async function runInRoom(
  scene: ProofScene,
  named: NamedCheck,
  replacements: readonly ReplacedFile[],
  wishes: RoomWishes = {},
): Promise<RoomRun> {
  const key = keyOf(scene, named, replacements);
  const known = await scene.ran?.get(key);
  // A room that failed once may open the next time.
  if (known !== undefined && "outcome" in known) return known;
  const run = runOnce(scene, named, replacements, wishes);
  scene.ran?.set(key, run);
  return run;
}

function keyOf(
  { surroundings }: ProofScene,
  { check }: NamedCheck,
  replacements: readonly ReplacedFile[],
): string {
  const hash = createHash("sha256").update(JSON.stringify([check.command, check.folder, surroundings]));
  for (const { path, mode, content } of replacements.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(JSON.stringify([path, mode, content?.length])).update(content ?? "");
  return hash.digest("hex");
}

async function runOnce(
  scene: ProofScene,
  named: NamedCheck,
  replacements: readonly ReplacedFile[],
  wishes: RoomWishes,
): Promise<RoomRun> {
  const run = await runRaw(scene, named, replacements, wishes);
  if ("why" in run || run.copied === null) return run;
  const { plain, ...others } = wishes;
  const isPlain = replacements.length === 0 && plain === undefined;
  const why = await whyNotInCopy(run.outcome, replacements, {
    isPlain,
    code: [...scene.comparison.now.keys()].filter(isCode),
    runPlain: () => runInRoom(scene, plain ?? named, [], others),
    runWith: (files) => runRaw(scene, named, files, wishes),
  });
  return why === null ? run : { why: `${why}, and this machine has no other clean room: ${run.copied}` };
}

async function runRaw(
  scene: ProofScene,
  { check }: NamedCheck,
  replacements: readonly ReplacedFile[],
  { isSample = false }: RoomWishes,
): Promise<RoomRun> {
  const { machine, site, place } = scene;
  const { signal } = site;
  try {
    const room = await machine.rooms.open({
      root: place.root,
      replacements: [...leftOut(scene, replacements), ...replacements],
      copy: scene.surroundings !== undefined ? "none" : isSample ? "small" : "any",
      fresh: scene.surroundings?.fresh ?? null,
      ...(signal === null ? {} : { signal }),
    });
    let outcome: CommandOutcome;
    try {
      outcome = await runAt({ ...site, run: async (options) => room.run(options) }, check);
    } finally {
      await room.close();
    }
    const isUntouched = (await site.readTree())?.digest === scene.reading?.digest;
    if (!isUntouched) return { why: "files of the project changed while it ran" };
    return { outcome, copied: room.isFaithful ? null : (room.why ?? "a copy at another path") };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof RoomError)) throw error;
    const isMissing = error.message.startsWith("there is no");
    return { why: `${isMissing ? "" : "the clean room failed: "}${oneLine(error.message, 200)}` };
  }
}

function leftOut({ surroundings }: ProofScene, given: readonly ReplacedFile[]): readonly ReplacedFile[] {
  if (surroundings === undefined) return [];
  const replaced = new Set(given.map(({ path }) => path));
  return surroundings.without
    .filter((path) => !replaced.has(path))
    .map((path) => ({ path, content: null, mode: "100644" }));
}
