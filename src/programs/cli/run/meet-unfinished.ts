import { expectPerson } from "../../../engine/lifecycle/expect-person.ts";
import { whyNotResumable } from "../../../engine/lifecycle/lifecycle.ts";
import { idleLoops, statusOfLoop, unfinishedWorkflow } from "../../../engine/lifecycle/status.ts";
import { describeCheck } from "../../../core/loop/criterion.ts";
import { isWorkflow, type Loop } from "../../../core/loop/loop.ts";
import { stageOf } from "../../../core/stages/stages.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { resumeCommand } from "../../../views/next-action.ts";
import { progressText } from "../../../views/plan.ts";
import { isAttended, type Context } from "../context.ts";
import type { NamedPlan } from "../../../engine/opening/plan-source.ts";
import { choose, type Choices } from "../questions/choose.ts";
import { statusText } from "../../../views/terminal/status-text.ts";
import { cancelForFresh, expectIdle } from "./cancel-loop.ts";

/** What a new loop meets: nothing in its way, or a loop to resume instead. */
type Met = { readonly type: "clear" } | { readonly type: "resume"; readonly loop: KnownLoop };

const CLEAR: Met = { type: "clear" };

const FRESH = {
  words: { fresh: ["fresh", "start fresh"], status: ["status"], quit: ["quit", "no", "n"] },
  meanings: {
    fresh: "cancel it, keep its record, and start the new one",
    status: "show where it stands",
    quit: "start nothing",
  },
} as const;

const CHOICES: Choices<"resume" | "fresh" | "status" | "quit"> = {
  words: { resume: ["resume", "yes", "y"], ...FRESH.words },
  meanings: { resume: "work on that one instead", ...FRESH.meanings },
  usual: "resume",
  atEnd: "quit",
};

/** It needs more of its limits first. */
const SPENT_CHOICES: Choices<"fresh" | "status" | "quit"> = {
  ...FRESH,
  usual: "quit",
  atEnd: "quit",
};

/** A plain loop may well be opened beside another one. */
const BESIDE = {
  words: { both: ["both", "keep both"], ...FRESH.words },
  meanings: { both: "leave it, and start the new one beside it", ...FRESH.meanings },
} as const;
const PLAIN_CHOICES: Choices<"resume" | "both" | "fresh" | "status" | "quit"> = {
  words: { resume: CHOICES.words.resume, ...BESIDE.words },
  meanings: { resume: "work on that one instead", ...BESIDE.meanings },
  usual: "both",
  atEnd: "quit",
};
const SPENT_PLAIN_CHOICES: Choices<"both" | "fresh" | "status" | "quit"> = {
  ...BESIDE,
  usual: "both",
  atEnd: "quit",
};

/** Before a plain loop is opened by a person: one of this project that nobody finished or works on is theirs to decide about. */
export async function meetIdle(context: Context, flags: { readonly json?: boolean }): Promise<Met> {
  if (!isAttended(context, flags)) return CLEAR;
  const [found] = await idleLoops(context.machine, null, (loop) => !isWorkflow(loop));
  if (found === undefined) return CLEAR;
  const { loop } = found.live;
  const whyNot = whyNotResumable(loop, context.machine.now());
  const where = loop.phase === "paused" ? `paused: ${loop.reason}` : "nobody works on it";
  introduce(context, `An unfinished loop: ${loop.id} (${where})`, loop, whyNot);
  for (;;) {
    const answer =
      whyNot === null
        ? await choose(
            context.terminal,
            "Resume it, keep both, start fresh, or see its status?",
            PLAIN_CHOICES,
          )
        : await choose(context.terminal, "Keep both, start fresh, or see its status?", SPENT_PLAIN_CHOICES);
    if (answer === "both") return CLEAR;
    if (answer === "resume") return { type: "resume", loop: found };
    if (answer === "fresh") return startFresh(context, found);
    if (answer === "quit") throw new UserError(`Nothing was started; the loop ${loop.id} stays as it is.`);
    await showStatus(context, found);
  }
}

function introduce({ terminal }: Context, title: string, loop: Loop, whyNot: string | null): void {
  terminal.print(title);
  terminal.print(`  ${oneLine(loop.frames[0].spec, terminal.width - 4)}`);
  if (whyNot !== null) terminal.print(`  ${whyNot} --loop ${loop.id}`);
}

async function showStatus({ machine, terminal }: Context, chosen: KnownLoop): Promise<void> {
  terminal.print(statusText(terminal, await statusOfLoop(machine, chosen), machine.now()));
}

/**
 * Before a workflow is opened: one that this project hasn't finished is resumed, or cancelled for a fresh start, as the person decides.
 * With nobody to ask it is refused, unless `--start-fresh` says so. Other loops of the project are left alone. Beside a plan of the
 * user's, only a loop that has its tasks already counts: several plans may be worked on at once.
 */
export async function meetUnfinished(
  context: Context,
  flags: { readonly startFresh?: boolean; readonly json?: boolean },
  plan: NamedPlan | null,
): Promise<Met> {
  const found = await unfinishedWorkflow(context.machine, (loop) => plan === null || isOf(plan, loop));
  if (found === null) return CLEAR;
  const { loop } = found.live;
  const named =
    plan === null
      ? `The workflow ${loop.id}`
      : `The loop ${loop.id} has the tasks of ${oneLine(plan.name, 80)} and`;
  expectIdle(found);
  if (flags.startFresh === true) return startFresh(context, found);
  const whyNot = whyNotResumable(loop, context.machine.now());
  if (!isAttended(context, flags)) {
    const resume = loop.phase === "paused" ? resumeCommand(loop) : "loop continue";
    throw new UserError(
      `${named} is unfinished (${whereItIs(loop)}); resume it with: ${resume} --loop ${loop.id}, or cancel it and start over with --start-fresh.`,
    );
  }
  const what = plan === null ? "An unfinished workflow" : `The tasks of ${oneLine(plan.name, 80)} are in`;
  introduce(context, `${what}: ${loop.id} (${whereItIs(loop)})`, loop, whyNot);
  for (;;) {
    const answer =
      whyNot === null
        ? await choose(context.terminal, "Resume it, start fresh, or see its status?", CHOICES)
        : await choose(context.terminal, "Start fresh, or see its status?", SPENT_CHOICES);
    if (answer === "resume") return { type: "resume", loop: found };
    if (answer === "fresh") return startFresh(context, found);
    if (answer === "quit")
      throw new UserError(`Nothing was started; the workflow ${loop.id} stays as it is.`);
    await showStatus(context, found);
  }
}

/** All of a plan's tasks are the loop's, in the same words; some may be done, and left out of the text. */
function isOf({ draft }: NamedPlan, { workflow }: Loop): boolean {
  const known = new Map(workflow?.plan.tasks.map((task) => [task.id, task]));
  return (
    draft.tasks.length > 0 &&
    draft.tasks.every(({ id, subject, description, verify }) => {
      const task = known.get(id);
      if (task === undefined || task.subject !== subject || task.description !== description) return false;
      const command = task.check === null ? task.proposed : describeCheck(task.check);
      return command === (verify?.command ?? null);
    })
  );
}

/** Its stage, and how far its tasks are. */
export function whereItIs(loop: Loop): string {
  return `stage ${stageOf(loop) ?? ""}, ${progressText(loop)} tasks`;
}

async function startFresh(context: Context, chosen: KnownLoop): Promise<Met> {
  await expectPerson(context.machine, "cancel", chosen);
  await cancelForFresh(context, chosen);
  return CLEAR;
}
