import { isEnded, topFrame } from "../core/loop.ts";
import type { Project } from "../store/project.ts";
import { findProject } from "../store/project.ts";
import type { StatusView } from "../views/status-view.ts";
import { statusView, unreadableView } from "../views/status-view.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { FoundLoop } from "../loops/find-loop.ts";
import { loopIdOf } from "../loops/choose-loop.ts";
import { inspectLoop, inspectLoops } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";

/** The loops of a project, newest first; ended ones only when asked for. */
export async function statusOfLoops(
  machine: Machine,
  options: { readonly all: boolean; readonly loop?: string | undefined },
): Promise<{
  readonly project: Project;
  readonly loops: readonly StatusView[];
  readonly endedCount: number;
}> {
  const project = findProject(machine.cwd);
  const wanted = options.loop === undefined ? null : await loopIdOf(machine, project, options.loop);
  const found =
    wanted === null ? await inspectLoops(machine, project) : [await inspectLoop(machine, project, wanted)];
  const ended = found.filter((each) => each.type === "loop" && isEnded(each.live.loop));
  const showAll = options.all || options.loop !== undefined;
  const shown = showAll ? found : found.filter((each) => !ended.includes(each));
  const tree = shown.some(hasEvidence) ? await machine.git.readTree(project.root) : null;
  return {
    project,
    loops: shown.map((each) => viewOf(each, tree?.digest ?? null)),
    endedCount: ended.length,
  };
}

export async function statusOfLoop(machine: Machine, { live, workplace }: LockedLoop): Promise<StatusView> {
  return statusView(live.loop, (await machine.git.readTree(workplace.root))?.digest ?? null);
}

function hasEvidence(found: FoundLoop): boolean {
  if (found.type !== "loop" || isEnded(found.live.loop)) return false;
  return topFrame(found.live.loop).criteria.some((each) => each.evidence !== null);
}

function viewOf(found: FoundLoop, tree: string | null): StatusView {
  switch (found.type) {
    case "loop":
      return statusView(found.live.loop, tree);
    case "untrusted":
      return unreadableView(
        found.id,
        "untrusted",
        "it was not opened on this machine, or its checks were changed",
      );
    case "aborted":
      return unreadableView(found.id, "aborted", found.why);
    case "newer":
      return unreadableView(found.id, null, found.why);
  }
}
