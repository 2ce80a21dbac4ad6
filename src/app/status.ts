import { isEnded, topFrame } from "../core/loop.ts";
import type { Project } from "../store/project.ts";
import { findProject } from "../store/project.ts";
import type { StatusView } from "../views/status-view.ts";
import { statusView, unreadableView } from "../views/status-view.ts";
import { treeDigest } from "../tree/tree-digest.ts";
import type { ChosenLoop, FoundLoop } from "../loops/find-loop.ts";
import { inspectLoops, loopIdOf } from "../loops/find-loop.ts";
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
  const wanted = options.loop === undefined ? null : loopIdOf(project, options.loop);
  const found = inspectLoops(machine, project).filter((each) => wanted === null || each.id === wanted);
  const ended = found.filter((each) => each.type === "loop" && isEnded(each.standing.loop));
  const showAll = options.all || options.loop !== undefined;
  const shown = showAll ? found : found.filter((each) => !ended.includes(each));
  const tree = shown.some(hasEvidence)
    ? await treeDigest({ root: project.root, stateHome: machine.home })
    : null;
  return { project, loops: shown.map((each) => viewOf(each, tree)), endedCount: ended.length };
}

export async function statusOfLoop(machine: Machine, { standing }: ChosenLoop): Promise<StatusView> {
  return statusView(
    standing.loop,
    await treeDigest({ root: standing.project.root, stateHome: machine.home }),
  );
}

function hasEvidence(found: FoundLoop): boolean {
  if (found.type !== "loop" || isEnded(found.standing.loop)) return false;
  return topFrame(found.standing.loop).criteria.some((each) => each.evidence !== null);
}

function viewOf(found: FoundLoop, tree: string | null): StatusView {
  switch (found.type) {
    case "loop":
      return statusView(found.standing.loop, tree);
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
