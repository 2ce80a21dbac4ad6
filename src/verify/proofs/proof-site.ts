import { runAt } from "../checks/check-site.ts";
import type { CheckSite } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ProofKind, ShownProof } from "../../core/loop/proof.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { ComparedCheck, Comparison } from "../baseline/compare.ts";
import type { Place } from "../baseline/kept-files.ts";
import type { WhichFrame } from "../baseline/baseline-record.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { RoomError } from "../../system/room/scratch.ts";
import type { TestReport } from "../reports/test-report.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";

/** Where proofs run, and what is known before the first of them. */
export interface ProofScene {
  readonly machine: Machine;
  readonly which: WhichFrame;
  readonly site: CheckSite;
  readonly place: Place;
  readonly comparison: Comparison;
  /** The test reports of the checks' own runs. */
  readonly reports: ReadonlyMap<string, TestReport | null>;
  /** The files being judged. */
  readonly reading: TreeReading | null;
}

export function comparedOf({ comparison }: ProofScene, { name }: Pick<NamedCheck, "name">): ComparedCheck {
  const compared = comparison.checks.get(name);
  if (compared === undefined) throw new Error(`${name} has no opening`);
  return compared;
}

export function proofOf(
  kind: ProofKind,
  name: string,
  part: Pick<ShownProof, "result"> & Partial<ShownProof>,
): ShownProof {
  return { kind, name, detail: null, files: [], output: null, ...part };
}

/** The result of a command in a clean room, or why there is none. */
export type RoomRun = { readonly outcome: CommandOutcome } | { readonly why: string };

/** Runs a check in the project with some files replaced. The project itself doesn't change. */
export async function runInRoom(
  scene: ProofScene,
  { check }: NamedCheck,
  replacements: readonly ReplacedFile[],
  { isFaithfulOnly = false } = {},
): Promise<RoomRun> {
  const { machine, site, place } = scene;
  const { signal } = site;
  try {
    const room = await machine.rooms.open({
      root: place.root,
      replacements,
      isFaithfulOnly,
      ...(signal === null ? {} : { signal }),
    });
    let outcome: CommandOutcome;
    try {
      outcome = await runAt({ ...site, run: async (options) => room.run(options) }, check);
    } finally {
      await room.close();
    }
    if (!room.isFaithful) return { why: `this machine has no faithful clean room: ${room.why ?? "a copy"}` };
    const isUntouched = (await site.readTree())?.digest === scene.reading?.digest;
    return isUntouched ? { outcome } : { why: "files of the project changed while it ran" };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof RoomError)) throw error;
    return { why: `the clean room failed: ${oneLine(error.message, 200)}` };
  }
}

const TAIL_LENGTH = 3_000;

export function tailOf({ output }: CommandOutcome): string {
  return output.slice(-TAIL_LENGTH);
}
