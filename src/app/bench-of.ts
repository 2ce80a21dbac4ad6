import { join } from "node:path";
import type { Bench } from "../checks/bench.ts";
import type { Loop } from "../core/loop.ts";
import type { Project } from "../store/project.ts";
import { loopFolder } from "../store/project.ts";
import type { Machine } from "./machine.ts";

export function benchOf(machine: Machine, project: Project, loop: Pick<Loop, "id" | "protects">): Bench {
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
