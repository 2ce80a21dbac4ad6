import type { Echo } from "../../core/stages/stages.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { waves } from "../../core/plan/workflow.ts";
import { describeCheck } from "../../core/criterion.ts";
import type { Loop } from "../../core/loop.ts";
import { describeMustNot } from "../../core/loop.ts";
import { oneLine } from "../../text/plain-text.ts";
import { resumeAnnouncement, startingLine } from "../../views/loop-lines.ts";
import { stageLine } from "../../views/workflow-lines.ts";
import type { StageNews } from "../../workflow/stages/stage-news.ts";
import type { Terminal } from "../terminal.ts";
import { waitLine } from "./run-lines.ts";

/** What happens before the plan, in lines. */
export function stageView(terminal: Terminal): (news: StageNews) => void {
  return (news) => {
    for (const line of stageLines(terminal, news)) terminal.print(line);
  };
}

/** The same, a line of JSON each. */
export function stageJson(terminal: Terminal): (news: StageNews) => void {
  return (news) => {
    const loop =
      "loop" in news ? { loop: news.loop.id, phase: news.loop.phase, costUsd: news.loop.spend.usd } : {};
    terminal.print(JSON.stringify({ ...news, ...loop }));
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
        `  ! It got no ${ANSWERS[news.purpose]} (${oneLine(news.why, width - 40)}), and goes on without.`,
      ];
    case "waiting":
      return [waitLine(news.until, news.now, news.detail)];
    case "understood":
      return echoLines(terminal, news.echo);
    case "shape-drawn":
      return shapeLines(terminal, news.loop);
    case "planned":
      return news.loop.workflow === null ? [] : plannedLines(terminal, news.loop.workflow.plan);
    case "note":
      return [`  ! ${oneLine(news.text, width - 4)}`];
  }
}

function echoLines(
  { paint, width }: Terminal,
  { deliverable, firstFact, hardestConstraint }: Echo,
): readonly string[] {
  const line = (label: string, text: string): string =>
    `  ${paint("dim", label)} ${oneLine(text, width - 24)}`;
  return [
    line("Deliverable:       ", deliverable),
    line("First fact:        ", firstFact),
    line("Hardest constraint:", hardestConstraint),
  ];
}

/** The shape of the work at a glance; all of it is in SHAPE.md. */
export function shapeLines({ paint, width }: Terminal, { stages, mustNots }: Loop): readonly string[] {
  const { shape = null } = stages ?? {};
  if (shape === null) return [];
  const room = width - 6;
  return [
    `  ${paint("dim", "Kind:")} ${shape.kind}  ${paint("dim", "Aspects:")} ${shape.aspects.join(", ") || "none"}`,
    ...shape.criteria.map(({ name, check, proposed }) => {
      const how =
        check !== null
          ? `: ${describeCheck(check)}`
          : `: no check${proposed === null ? "" : `; proposed: ${proposed}`}`;
      return `  ${check === null ? paint("yellow", "?") : paint("cyan", "•")} ${oneLine(`${name}${how}`, room)}`;
    }),
    ...mustNots.map((each) => `  ${paint("dim", "must not:")} ${oneLine(describeMustNot(each), room - 10)}`),
    ...shape.decisions.map((each) => `  ${paint("dim", "decided:")} ${oneLine(each, room - 10)}`),
  ];
}

/** A plan by its waves. */
export function plannedLines({ paint, width }: Terminal, plan: Plan): readonly string[] {
  return waves(plan).flatMap((tasks, index) => [
    `  ${paint("bold", `Wave ${index + 1}`)}`,
    ...tasks.map(({ id, subject, check, proposed }) => {
      const how =
        check !== null
          ? describeCheck(check)
          : `no check${proposed === null ? "" : `; proposed: ${proposed}`}`;
      return `    ${id}  ${oneLine(`${subject} (${how})`, width - id.length - 8)}`;
    }),
  ]);
}
