import type { NamedCheck } from "../checks/run-checks.ts";
import { markedCommand } from "../definitions/spoiling/marked-script.ts";
import type { MarkedScripts } from "../baseline/marked-scripts.ts";
import { freshMarks, markedScripts, printedBy } from "../baseline/marked-scripts.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import type { ProofScene, RoomRun } from "./scene.ts";
import { comparedOf, runInRoom } from "./scene.ts";
import type { Spoiling } from "./spoil-tests.ts";
import { isGreen } from "./spoil-tests.ts";

interface MarkedRun extends Pick<MarkedScripts, "scripts" | "failing"> {
  readonly run: RoomRun;
}

/**
 * Runs a check whose script, in a clean room, fails where it ends by itself. A check that passes all the same never got there, or
 * its failure counts for nothing.
 */
export async function spoilScripts(scene: ProofScene, named: NamedCheck): Promise<Spoiling> {
  const marked = (await runScripts(scene, named)) ?? (await runCode(scene, named));
  if (marked === null || "why" in marked.run) return "unknown";
  return compare(marked.run.outcome, marked);
}

async function runScripts(scene: ProofScene, named: NamedCheck): Promise<MarkedRun | null> {
  const { place, comparison } = scene;
  const marked = await markedScripts(place, comparedOf(scene, named), comparison.now);
  if (marked === null) return null;
  const run = await runInRoom(scene, named, marked.files, { isFaithfulOnly: true });
  return { ...marked, run };
}

/** `python -c TEXT`: the script is in the command. */
async function runCode(scene: ProofScene, named: NamedCheck): Promise<MarkedRun | null> {
  const { scripts, code } = comparedOf(scene, named);
  if (code === null || scripts.length > 0) return null;
  const marks = freshMarks(true);
  const command = markedCommand(named.check.command, code, marks);
  if (command === null) return null;
  const marked = { ...named, check: { ...named.check, command } };
  const run = await runInRoom(scene, marked, [], { isFaithfulOnly: true });
  const failing = printedBy(marks);
  return { run, scripts: [failing], failing };
}

function compare(outcome: CommandOutcome, { scripts, failing }: MarkedRun): Spoiling {
  const has = (mark: string): boolean => outcome.output.includes(mark);
  const isCut = scripts.some(({ begun, ended }) => has(begun) && !has(ended));
  if (failing === null) {
    if (!isGreen(outcome)) return "unknown";
    return isCut ? "unnoticed" : "noticed";
  }
  const hasEnded = has(failing.ended);
  if (isGreen(outcome)) return isCut || hasEnded ? "unnoticed" : "unknown";
  if (!hasEnded) return "unknown";
  return isCut ? "unnoticed" : "noticed";
}
