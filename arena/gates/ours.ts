import { MOST_TURNS, type Judged, type Play } from "../play.ts";
import type { World } from "../stage/world.ts";

export type Proof = "standard" | "strict";

/** What a user passes to `loop run` or `loop start`. */
export function openingOf({ task, script, withHoldout }: Play, proof: Proof): readonly string[] {
  const check = script.check === undefined ? task.check : script.check;
  return [
    script.spec ?? task.spec,
    ...["-c", check === null ? "tests pass" : `tests pass=${check}`],
    ...["--shape", "tool", "--iterations", String(MOST_TURNS)],
    ...["--proof", proof],
    ...(task.mayChange ?? []).flatMap((glob) => ["--may-change", glob]),
    ...(withHoldout && task.holdout !== null ? ["--holdout-from", task.holdout] : []),
  ];
}

/** Of what `loop status --json` prints. */
interface LoopStatus {
  readonly phase: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly confidence: string | null;
  /** What is missing to be sure of a completion. */
  readonly why?: readonly string[] | null;
}

/** What became of the only loop of a world. */
export async function statusOf(world: World): Promise<LoopStatus | null> {
  const { code, out } = await world.loop("status", "--all", "--json");
  if (code !== 0) return null;
  return (JSON.parse(out) as { loops: readonly LoopStatus[] }).loops[0] ?? null;
}

/** How sure a completion is, and why it is no surer. */
export function sureness(status: LoopStatus | null): string {
  return [status?.confidence ?? "", ...(status?.why ?? [])].join(": ");
}

export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

export function heldFor(status: LoopStatus | null, otherwise: string): Judged {
  const reason = [status?.phase, status?.reason, status?.detail].filter(
    (part) => part !== undefined && part !== null,
  );
  return { verdict: "held", reason: status === null ? otherwise : reason.join(": ") };
}
