import type { IntentSummary } from "../../core/stages/stages.ts";
import type { Plan, PlannedTask } from "../../core/plan/plan.ts";
import { waves } from "../../core/plan/workflow.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import { describeMustNot, type Loop } from "../../core/loop/loop.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { resumeAnnouncement, startingLine } from "../loop-lines.ts";
import { unwatchedLimits } from "../../core/stages/work-boundary.ts";
import { stageLine } from "../plan.ts";
import type { StageNews } from "../news/news.ts";
import type { Terminal } from "./terminal.ts";
import { waitLine } from "./run-view.ts";

/** What happens before the plan, in lines. */
export function stageView(terminal: Terminal): (news: StageNews) => void {
  return (news) => {
    for (const line of stageLines(terminal, news)) terminal.print(line);
  };
}

/** What an answer is. */
const ANSWERS = {
  score: "scores of the spec",
  intent: "reading of the spec",
  shape: "criteria and decisions",
  decompose: "plan",
  test: "test that fails now",
  counsel: "other approach",
  "light-review": "review of the wave",
  "thorough-review": "review of the work",
} as const;

function stageLines(terminal: Terminal, news: StageNews): readonly string[] {
  const { paint, width } = terminal;
  switch (news.type) {
    case "stages-began":
      return [news.resumed ? resumeAnnouncement(news.loop, []) : startingLine(news.loop)];
    case "stage-began":
      return [stageLine(news.loop)];
    case "asking":
      return [`  ${paint("dim", `asks a model: ${ANSWERS[news.purpose]}`)}`];
    case "unanswered":
      return [
        `  ! It got no ${ANSWERS[news.purpose]} (${oneLine(news.why, width - 40)}), and continues without it.`,
      ];
    case "waiting":
      return [waitLine(news.until, news.now, news.detail)];
    case "understood":
      return summaryLines(terminal, news.echo);
    case "shape-drawn":
      return news.isShown ? [] : shapeLines(terminal, news.loop);
    case "planned":
      return news.isShown || news.loop.workflow === null
        ? []
        : plannedLines(terminal, news.loop.workflow.plan);
    case "note":
      return [`  ! ${oneLine(news.text, width - 4)}`];
  }
}

/** As a whole, however narrow the terminal is: somebody says whether it is meant. */
function summaryLines(
  { paint }: Terminal,
  { deliverable, firstFact, hardestConstraint }: IntentSummary,
): readonly string[] {
  const line = (label: string, text: string): string =>
    `  ${paint("dim", label)} ${oneLine(text, LONGEST_ECHO)}`;
  return [
    line("Deliverable:       ", deliverable),
    line("First fact:        ", firstFact),
    line("Hardest constraint:", hardestConstraint),
  ];
}

/** The shape of the work at a glance; all of it is in SHAPE.md. Commands are never cut: somebody agrees to them. */
export function shapeLines({ paint, width }: Terminal, loop: Loop): readonly string[] {
  const { shape = null } = loop.stages ?? {};
  if (shape === null) return [];
  const room = width - 6;
  return [
    `  ${paint("dim", "Kind:")} ${shape.kind}  ${paint("dim", "Aspects:")} ${shape.aspects.join(", ") || "none"}`,
    ...shape.criteria.flatMap((each) => {
      const mark = each.check === null ? paint("yellow", "?") : paint("cyan", "•");
      return withCommand(`  ${mark} `, oneLine(each.name, room), howChecked(each), ": ", room);
    }),
    ...loop.mustNots.map(
      (each) => `  ${paint("dim", "must not:")} ${oneLine(describeMustNot(each), room - 10)}`,
    ),
    ...unwatchedLimits({ spec: loop.frames[0].spec, mustNots: loop.mustNots }).map(
      (each) => `  ${paint("dim", "in words:")} ${oneLine(each, room - 10)}`,
    ),
    ...shape.decisions.map((each) => `  ${paint("dim", "decided:")} ${oneLine(each, room - 10)}`),
  ];
}

const LONGEST_ECHO = 300;

/** Somebody agrees to these words, so they wrap rather than end early. */
const LONGEST_SUBJECT = 300;

/** A plan by its waves. */
export function plannedLines({ paint, width }: Terminal, plan: Plan): readonly string[] {
  return waves(plan).flatMap((tasks, index) => [
    `  ${paint("bold", `Wave ${index + 1}`)}`,
    ...tasks.flatMap((task) => {
      const room = width - task.id.length - 8;
      return withCommand(
        `    ${task.id}  `,
        oneLine(task.subject, LONGEST_SUBJECT),
        `(${howChecked(task)})`,
        " ",
        room,
      );
    }),
  ]);
}

function howChecked({ check, proposed }: Pick<PlannedTask, "check" | "proposed">): string {
  if (check !== null) return oneLine(describeCheck(check), Infinity);
  return `no check${proposed === null ? "" : `; proposed: ${oneLine(proposed, Infinity)}`}`;
}

/** On one line if there is room, otherwise on two. */
function withCommand(
  lead: string,
  text: string,
  how: string,
  between: string,
  room: number,
): readonly string[] {
  const line = `${text}${between}${how}`;
  return line.length <= room ? [`${lead}${line}`] : [`${lead}${text}`, `        ${how}`];
}
