import { expectPerson } from "../../app/expect-person.ts";
import { whyNotResumable } from "../../app/lifecycle.ts";
import { statusOfLoop } from "../../app/status.ts";
import { unfinishedWorkflow } from "../../app/unfinished-workflow.ts";
import type { Loop } from "../../core/loop.ts";
import { stageOf } from "../../core/stages/stages.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import { UserError } from "../../loops/user-error.ts";
import { oneLine } from "../../text/plain-text.ts";
import { progressText } from "../../views/workflow-lines.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import type { Choices } from "../questions/choose.ts";
import { choose } from "../questions/choose.ts";
import { statusText } from "../status-text.ts";
import { cancelForFresh, expectIdle } from "./start-fresh.ts";

/** What a new workflow meets: nothing in its way, or a loop to resume instead. */
type Met = { readonly type: "clear" } | { readonly type: "resume"; readonly loop: LockedLoop };

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

/**
 * Before a workflow is opened: one that this project hasn't finished is resumed, or cancelled for a fresh start, as the person decides.
 * With nobody to ask it is refused, unless `--start-fresh` says so. Other loops of the project are left alone.
 */
export async function meetUnfinished(
  context: Context,
  flags: { readonly startFresh?: boolean; readonly json?: boolean },
): Promise<Met> {
  const found = await unfinishedWorkflow(context.machine);
  if (found === null) return CLEAR;
  const { loop } = found.live;
  expectIdle(found);
  if (flags.startFresh === true) return startFresh(context, found);
  if (!isAttended(context, flags))
    throw new UserError(
      `The workflow ${loop.id} is unfinished (${whereItIs(loop)}); resume it with: loop continue --loop ${loop.id}, or cancel it and start over with --start-fresh.`,
    );
  context.terminal.print(`An unfinished workflow: ${loop.id} (${whereItIs(loop)})`);
  context.terminal.print(`  ${oneLine(loop.frames[0].spec, context.terminal.width - 4)}`);
  const whyNot = whyNotResumable(loop, context.machine.now());
  if (whyNot !== null) context.terminal.print(`  ${whyNot} --loop ${loop.id}`);
  for (;;) {
    const answer =
      whyNot === null
        ? await choose(context.terminal, "Resume it, start fresh, or see its status?", CHOICES)
        : await choose(context.terminal, "Start fresh, or see its status?", SPENT_CHOICES);
    if (answer === "resume") return { type: "resume", loop: found };
    if (answer === "fresh") return startFresh(context, found);
    if (answer === "quit")
      throw new UserError(`Nothing was started; the workflow ${loop.id} stays as it is.`);
    const { machine, terminal } = context;
    terminal.print(statusText(terminal, await statusOfLoop(machine, found), machine.now()));
  }
}

/** Its stage, and how far its tasks are. */
export function whereItIs(loop: Loop): string {
  return `stage ${stageOf(loop) ?? ""}, ${progressText(loop)} tasks`;
}

async function startFresh(context: Context, chosen: LockedLoop): Promise<Met> {
  await expectPerson(context.machine, "cancel", chosen);
  await cancelForFresh(context, chosen, null);
  return CLEAR;
}
