import { join } from "node:path";
import type { CheckSite } from "../checks/check-site.ts";
import type { Loop } from "../core/loop.ts";
import type { Project } from "../store/project.ts";
import { loopFolder } from "../store/project.ts";
import type { Machine } from "../loops/machine.ts";

export function checkSiteOf(
  machine: Machine,
  project: Project,
  loop: Pick<Loop, "id" | "protects">,
): CheckSite {
  return {
    root: project.root,
    home: machine.home,
    evidenceFolder: join(loopFolder(project, loop.id), "evidence"),
    protects: loop.protects,
    env: machine.env,
    now: machine.now,
    ...(machine.onCheck === undefined ? {} : { onCheck: machine.onCheck }),
    ...(machine.onChecked === undefined ? {} : { onChecked: machine.onChecked }),
    ...(machine.signal === undefined ? {} : { signal: machine.signal }),
  };
}
