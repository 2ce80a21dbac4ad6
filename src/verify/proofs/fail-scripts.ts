import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { freshSentinels, sentinelScripts, printedBy, wrongScripts } from "../baseline/sentinel-scripts.ts";
import type { SentinelScripts } from "../baseline/sentinel-scripts.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { markedCommand } from "../definitions/injecting/injected.ts";
import { countOf } from "../definitions/injecting/marks.ts";
import { runMarked, SHORT_MS } from "./injected-run.ts";
import { noticesOtherValues } from "./notice-other-values.ts";
import { comparedOf, runInRoom, type ProofScene, type RoomRun } from "./proof-site.ts";

/** What became of a failure at the end of a script, and of wrong values in it. */
export type SeenInScripts =
  | { readonly type: "noticed"; readonly isRepeated: boolean }
  | { readonly type: "unnoticed-value"; readonly path: string | null }
  | { readonly type: "unnoticed-end" | "unknown" }
  | { readonly type: "no-room"; readonly why: string };

/**
 * Runs a check whose script, in a clean room, fails where it ends by itself. A check that passes all the same never got there, or
 * its failure counts for nothing.
 */
export async function failScripts(scene: ProofScene, named: NamedCheck): Promise<SeenInScripts> {
  const marked = (await runScripts(scene, named)) ?? (await runCode(scene, named));
  if (marked === null) return withOtherValues(scene, named, { type: "unknown" });
  if ("why" in marked.run) return { type: "no-room", why: marked.run.why };
  const { outcome } = marked.run;
  const seen = seenInMarks(outcome, marked);
  if (seen.type === "unnoticed-end" || outcome.durationMs > SHORT_MS) return seen;
  const wrong = seen.type === "noticed" ? await withWrongValues(scene, named) : null;
  return wrong ?? withOtherValues(scene, named, seen);
}

/** What judges in a way that nobody knows still compares with values. */
async function withOtherValues(
  scene: ProofScene,
  named: NamedCheck,
  seen: SeenInScripts,
): Promise<SeenInScripts> {
  const others = await noticesOtherValues(scene, named);
  if (others.type === "unnoticed") return { type: "unnoticed-value", path: others.path };
  return others.type === "noticed" && seen.type === "unknown" ? { type: "noticed", isRepeated: false } : seen;
}

/** A script stops at its first failure, so wrong values need a run of their own. null: they were noticed, or never reached. */
async function withWrongValues(scene: ProofScene, named: NamedCheck): Promise<SeenInScripts | null> {
  const compared = comparedOf(scene, named);
  const wrong = await runMarked(scene, named, async (marker) => ({
    replaced: await wrongScripts(scene.place, compared, marker),
  }));
  if (wrong === "nothing" || "why" in wrong.run || !hasPassed(wrong.run.outcome)) return null;
  const { marks } = wrong.run;
  const path = compared.scripts.find((_, file) => countOf(marks, "kept", file) > 0);
  return path === undefined ? null : { type: "unnoticed-value", path };
}

interface SentinelRun extends Pick<SentinelScripts, "scripts" | "failing"> {
  readonly run: RoomRun;
}

async function runScripts(scene: ProofScene, named: NamedCheck): Promise<SentinelRun | null> {
  const { place, comparison } = scene;
  const marked = await sentinelScripts(place, comparedOf(scene, named), comparison.now);
  if (marked === null) return null;
  const run = await runInRoom(scene, named, marked.files, { isSample: true });
  return { ...marked, run };
}

/** `python -c TEXT`: the script is in the command. */
async function runCode(scene: ProofScene, named: NamedCheck): Promise<SentinelRun | null> {
  const { scripts, code } = comparedOf(scene, named);
  if (code === null || scripts.length > 0) return null;
  const marks = freshSentinels(true);
  const command = markedCommand(named.check.command, code, marks);
  if (command === null) return null;
  const marked = { ...named, check: { ...named.check, command } };
  const run = await runInRoom(scene, marked, [], { isSample: true, plain: named });
  const failing = printedBy(marks);
  return { run, scripts: [failing], failing };
}

function seenInMarks(outcome: CommandOutcome, { scripts, failing }: SentinelRun): SeenInScripts {
  const has = (mark: string): boolean => outcome.output.includes(mark);
  const isCut = scripts.some(({ begun, ended }) => has(begun) && !has(ended));
  const isGreen = hasPassed(outcome);
  if (failing === null && !isGreen) return { type: "unknown" };
  const hasEnded = failing !== null && has(failing.ended);
  if (failing !== null && isGreen) return { type: isCut || hasEnded ? "unnoticed-end" : "unknown" };
  if (failing !== null && !hasEnded) return { type: "unknown" };
  return isCut ? { type: "unnoticed-end" } : { type: "noticed", isRepeated: true };
}
