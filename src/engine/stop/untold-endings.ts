import type { Loop } from "../../core/loop.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { typedAs } from "../../agents/hosts/typed-command.ts";
import type { FoundLoop, LockedLoop } from "../../storage/loops/locked-loop.ts";
import { inspectLoops } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { findProject } from "../../storage/home/project.ts";
import { isUntold, markTold } from "../../storage/home/lock-marks.ts";
import { endedMeanwhileLine, endedMeanwhileText } from "../../views/ended-meanwhile.ts";
import { resumeCommand } from "../../views/next-action.ts";

/** A loop that a stop ended or paused, and nobody heard of it: its client was killed while the hook worked. */
export interface UntoldEnding {
  readonly loop: Loop;
  readonly line: string;
  /** The line and, of a plan, its tasks and verdict. */
  readonly text: string;
  readonly markTold: () => void;
}

export function untoldEndings(
  machine: Pick<Machine, "home">,
  found: readonly FoundLoop[],
  host: Pick<Host, "commandPrefix">,
): readonly UntoldEnding[] {
  return found.flatMap((each) => (each.type === "loop" ? (untoldEnding(machine, each, host) ?? []) : []));
}

export async function untoldEndingsHere(
  machine: Machine,
  host: Pick<Host, "commandPrefix">,
): Promise<readonly UntoldEnding[]> {
  return untoldEndings(machine, await inspectLoops(machine, findProject(machine.cwd)), host);
}

export function untoldEnding(
  { home }: Pick<Machine, "home">,
  { id, live: { loop, project } }: LockedLoop,
  host: Pick<Host, "commandPrefix">,
): UntoldEnding | null {
  const whose = { home, root: project.root, loop: id };
  if (loop.phase === "active" || loop.phase === "cancelled" || !isUntold(whose)) return null;
  // Who paused it knows.
  if (loop.phase === "paused" && loop.reason === "user") return null;
  const resume = resumeText(loop, host);
  return {
    loop,
    line: endedMeanwhileLine(loop, resume),
    text: endedMeanwhileText(loop, resume),
    markTold: () => markTold(whose),
  };
}

function resumeText(loop: Loop, host: Pick<Host, "commandPrefix">): string {
  if (loop.phase !== "paused") return "";
  return `${resumeCommand(loop).replace(/^loop /, typedAs(host, ""))} --loop=${loop.id}`;
}
