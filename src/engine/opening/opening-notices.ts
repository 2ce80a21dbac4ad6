import type { Criterion } from "../../core/loop/criterion.ts";
import { isWorkflow, topFrame } from "../../core/loop/loop.ts";
import { hidesExitCode } from "../../verify/definitions/shell/hidden-exit-code.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { nameList } from "../../views/shortened.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { inspectLoops, livingDriver } from "../../storage/loops/locked-loop.ts";
import { isOwn } from "../../storage/loops/choose-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** Warns about checks that can pass although what they run failed. The command stays as the user wrote it. */
export function checkNotices(criteria: readonly Pick<Criterion, "name" | "check">[]): readonly string[] {
  return criteria.flatMap(({ name, check }) =>
    check === null
      ? []
      : hidesExitCode(check.command).map(
          ({ where, advice }) =>
            `The check "${oneLine(name, 60)}" may pass although it failed (${oneLine(where, 60)}): ${advice}`,
        ),
  );
}

/** Warns, before it costs anything, about what is probably a mistake: guards that match nothing, work without a check, other agents. */
export async function openingNotices(machine: Machine, chosen: LockedLoop): Promise<readonly string[]> {
  const { loop } = chosen.live;
  const { mustNotFiles, protectedFiles } = chosen.lock;
  const empty = Object.entries(mustNotFiles).filter(([, files]) => Object.keys(files).length === 0);
  return [
    ...empty.map(([glob]) => `No file matches --must-not "path:${oneLine(glob, 60)}"; is there a typo?`),
    ...(loop.protects.length > 0 && Object.keys(protectedFiles).length === 0
      ? [
          `No file matches --protect ${loop.protects.map((glob) => `"${oneLine(glob, 60)}"`).join(", ")}; is there a typo?`,
        ]
      : []),
    ...(topFrame(loop).criteria.length === 0 && !isWorkflow(loop)
      ? [
          "No check decides when the work is done, only the agent's word. Add one with: -c 'tests pass=npm test'",
        ]
      : []),
    ...checkNotices(topFrame(loop).criteria),
    ...(await otherLoopNotices(machine, chosen)),
  ];
}

/** Other open loops of the project: those that are driven now edit the same files, and commands have to name the loop they mean. */
export async function otherLoopNotices(machine: Machine, chosen: LockedLoop): Promise<readonly string[]> {
  const { project } = chosen.live;
  const others = (await inspectLoops(machine, project)).filter(isOwn).filter(({ id }) => id !== chosen.id);
  const isDriven = (each: (typeof others)[number]): boolean => livingDriver(each.live.loop) !== null;
  const idle = others.filter((each) => !isDriven(each));
  return [
    ...others
      .filter(isDriven)
      .map(({ id }) => `The loop ${id} is running here at the same time; both may change the same files.`),
    ...(idle.length === 0
      ? []
      : [
          `Also open here: ${nameList(idle.map(({ id }) => id))}. Choose a loop with --loop ID; this one is ${chosen.id}.`,
        ]),
  ];
}
