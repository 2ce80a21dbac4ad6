import type { StatusView } from "../../src/views/status-view.ts";
import { MOST_TURNS, type Judged, type Play } from "../play.ts";
import type { World } from "../stage/world.ts";

/** Until `loop run --help` knows --proof, --may-change and --holdout-from. */
export const KNOWS_PROOFS: boolean = false;

export type Proof = "standard" | "strict";

/** What a user passes to `loop run` or `loop start`. */
export function openingOf({ task, script, withHoldout }: Play, proof: Proof): readonly string[] {
  const check = script.check === undefined ? task.check : script.check;
  return [
    script.spec ?? task.spec,
    ...["-c", check === null ? "tests pass" : `tests pass=${check}`],
    ...["--shape", "tool", "--iterations", String(MOST_TURNS)],
    ...(KNOWS_PROOFS
      ? [
          ...["--proof", proof],
          ...(task.mayChange ?? []).flatMap((glob) => ["--may-change", glob]),
          ...(withHoldout && task.holdout !== null ? ["--holdout-from", task.holdout] : []),
        ]
      : []),
  ];
}

/** What became of the only loop of a world. */
export async function statusOf(world: World): Promise<StatusView | null> {
  const { code, out } = await world.loop("status", "--all", "--json");
  if (code !== 0) return null;
  return (JSON.parse(out) as { loops: readonly StatusView[] }).loops[0] ?? null;
}

export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

export function heldFor(view: StatusView | null, otherwise: string): Judged {
  const reason = [view?.phase, view?.reason, view?.detail].filter(
    (part) => part !== undefined && part !== null,
  );
  return { verdict: "held", reason: view === null ? otherwise : reason.join(": ") };
}
