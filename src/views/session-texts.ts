import type { Host } from "../agents/hosts/host.ts";
import type { TypedCommand } from "../agents/hosts/host-event.ts";
import type { Reply } from "../agents/hosts/reply.ts";
import { typedAs } from "../agents/hosts/typed-command.ts";
import type { LoopId } from "../core/loop/id.ts";
import type { Loop } from "../core/loop/loop.ts";
import { describeMustNot, isWorkflow, topFrame } from "../core/loop/loop.ts";
import { DIMENSIONS } from "../core/spec/rule.ts";
import type { Dimension } from "../core/spec/rule.ts";
import { oneLine } from "../system/text/plain-text.ts";
import type { CompletedLoop } from "./completion.ts";
import { completedLine, completeText } from "./completion.ts";
import { NO_CHECK, unmetNames } from "./criterion.ts";
import { describeCheck } from "../core/loop/criterion.ts";
import { waves } from "../core/plan/workflow.ts";
import { costText } from "./cost.ts";
import { waveDoneLine } from "./plan.ts";
import { shapeName } from "./shape.ts";
import { iterationLine, startingLine, stepDoneLine } from "./loop-lines.ts";
import { nextAction } from "./next-action.ts";

/** What the user of a session sees of its loop, from the opening to the end. No model reads it or has to repeat it. */

/** The opening: what begins, how the spec scored and why, and the first iteration of a loop that asks after each. */
export function openingText(loop: Loop): string {
  const asksAfterEach = loop.shape === "colleague" ? ["", iterationLine(loop, 1)] : [];
  return [startingLine(loop), "", ...scoringLines(loop), ...recallLines(loop), ...asksAfterEach].join("\n");
}

/** What earlier loops taught about this, for the user to judge. */
export function recallLines({ recall }: Pick<Loop, "recall">): readonly string[] {
  const open = (recall?.learnings ?? []).filter(({ confirmed }) => confirmed === null);
  if (open.length === 0) return [];
  return [
    "",
    "From earlier loops:",
    ...open.map(({ id, kind, text }) => `- ${id}: ${kind}: ${oneLine(text, 200)}`),
  ];
}

function scoringLines({ score, shape }: Loop): readonly string[] {
  return [
    "Spec scoring:",
    ...DIMENSIONS.map(
      (each) =>
        `- ${titleOf(each)}: ${score[each]} (${oneLine(score.evidence[each][0] ?? "nothing stated", 80)})`,
    ),
    `Total: ${score.total}/10 → ${shapeName(shape)}-shaped`,
  ];
}

function titleOf(dimension: Dimension): string {
  return `${dimension.slice(0, 1).toUpperCase()}${dimension.slice(1)}`;
}

/** A colleague hands back after an iteration: what was done, where everything stands, and whether to go on. */
export function handedBackText(loop: Loop): string {
  if (isWorkflow(loop))
    return [...stepLines(loop), `Next: ${nextAction(loop, unmetNames(loop))}`, "", CONTINUE].join("\n");
  const done = topFrame(loop).steps.findLast((step) => step.done)?.name;
  return [
    iterationLine(loop, topFrame(loop).iteration, done),
    ...(done === undefined ? [] : [stepDoneLine(loop, done)]),
    "",
    statusBlock(loop),
    "",
    CONTINUE,
  ].join("\n");
}

/** What a user reads whose session is no longer held, and not because of a pause. */
export function takenLine({ id, binding, phase }: Loop, host: Pick<Host, "commandPrefix">): string {
  if (phase === "completed" || phase === "cancelled")
    return `[LOOP] No longer held: the loop ${id} is ${phase}.`;
  const who = binding === null ? "nobody is held by" : `the session ${oneLine(binding.session, 40)} has`;
  return `[LOOP] No longer held: ${who} the loop ${id} now. Take it back: ${typedAs(host, `continue --loop=${id}`)}`;
}

export function cancelledLine(id: LoopId): string {
  return `[LOOP] Cancelled, no longer held: ${id}`;
}

/** Why the hooks stay on: a loop that nothing holds any more would go on silently unheld. */
export function hooksNeededLine({ id }: Loop, host: Pick<Host, "commandPrefix">): string {
  return `[LOOP] The loop ${id} needs these hooks. Pause it first: ${typedAs(host, "pause")}`;
}

/** What the agent of a client without our commands reads when its user types one. */
export function explained({ command, args }: TypedCommand, said: Reply): Reply {
  const toUser = said.type === "message" ? said.text : null;
  const more = said.type === "announcement" ? [said.text] : [];
  const text = [explanationOf(command, args !== ""), ...more].join("\n");
  return { type: "announcement", at: "prompt", text, toUser };
}

function explanationOf(command: string, hasWords: boolean): string {
  switch (command) {
    case "pause":
    case "cancel":
      return `[LOOP] The user typed \`loop:${command}\`. Run \`loop ${command}\` once, tell them the result in a line, and stop working on the loop.`;
    case "continue":
      return `[LOOP] The user typed \`loop:continue\`. Run \`loop continue\`${hasWords ? ", with only the flags that they typed (--budget=N, --iterations=N, --loop=ID); any other words are their answer to you, which loop has recorded" : ""}. If it is refused, tell them why and stop. Then go on with the loop: \`loop status\`, one unit of work, \`loop check\`, and \`loop done\` when everything is true.`;
    case "start":
      return "[LOOP] The user typed `loop:start` and a spec. Follow the skill `loop`, or `loop start --help`, to open a loop for it.";
    default:
      return `[LOOP] The user typed \`loop:${oneLine(command, 40)}\`. Run \`loop ${command === "status" ? "status" : "--help"}\` and show them the result.`;
  }
}

export const OWN_REVIEW =
  "[LOOP] The agent that leads the work wrote this review itself. For an independent one, ask it to give `loop review brief` to a fresh subagent.";

export function untrustedLine(id: LoopId): string {
  return `[LOOP] Not held: the loop ${id} is not trusted here; its checks changed, or its approval is gone. Review it in a terminal: loop trust ${id}`;
}

/** What a workflow's user agrees to: the shape, the plan, or a wave that is merged. */
function stepLines(loop: Loop): readonly string[] {
  const { workflow, stages } = loop;
  if (workflow !== null && workflow.wavesDone > 0) return [waveDoneLine(loop, workflow.wavesDone)];
  if (workflow !== null)
    return [
      `[LOOP] Plan | Cost: ${costText(loop)} | Tasks: ${workflow.plan.tasks.length}`,
      ...waves(workflow.plan).map(
        (tasks, index) =>
          `- Wave ${index + 1}: ${tasks.map(({ id, subject }) => `${id} ${oneLine(subject, 60)}`).join(", ")}`,
      ),
    ];
  const criteria = stages?.shape?.criteria ?? [];
  return [
    `[LOOP] Shape | Cost: ${costText(loop)} | Kind: ${stages?.shape?.kind ?? "none"} (.loop/shape/SHAPE.md)`,
    ...criteria.map(
      ({ name, check }) =>
        `- ${oneLine(name, 80)}: ${check === null ? NO_CHECK : oneLine(describeCheck(check), 80)}`,
    ),
    ...loop.mustNots.map((each) => `- must not: ${oneLine(describeMustNot(each), 80)}`),
  ];
}

/** Any prompt but a plain "no" goes on. */
const CONTINUE = "Continue? [Y/n]";

/** A completed loop: how sure it is, where everything stands, and what is satisfied. */
export function completionText(loop: CompletedLoop): string {
  const isByCriteria = loop.workflow === null && topFrame(loop).criteria.length > 0;
  return [completedLine(loop), ...(isByCriteria ? ["", statusBlock(loop), ""] : []), completeText(loop)].join(
    "\n",
  );
}

/** The status block as agents print it, by what the checks showed. */
function statusBlock(loop: Loop): string {
  const { criteria, breakers } = topFrame(loop);
  const unmet = loop.phase === "completed" ? [] : unmetNames(loop);
  const marks = criteria.map(({ name }) => `${JSON.stringify(oneLine(name, 80))}: ${!unmet.includes(name)}`);
  return [
    "---LOOP_STATUS---",
    `EXIT_SIGNAL: ${loop.phase === "completed"}`,
    `CRITERIA: {${marks.join(", ")}}`,
    `STUCK_COUNT: ${breakers.stuck.count}`,
    `NEXT: ${loop.phase === "completed" ? "none" : nextAction(loop, unmet)}`,
    "---END_STATUS---",
  ].join("\n");
}
