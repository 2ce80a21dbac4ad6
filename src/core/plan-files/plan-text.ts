import type { DraftedPlan, DraftedTask } from "./drafted-plan.ts";
import { readJsonPlan } from "./json-plan.ts";
import { readMarkdownPlan } from "./markdown-plan.ts";
import { isTaskId } from "../plan/plan.ts";

/** `{`, or a list of objects: `[` alone begins many a line of Markdown. */
const JSON_BEGINNING = /^\s*(?:\{|\[\s*[{\]])/;

/** What UTF-16 and programs look like when they are read as UTF-8. */
const NOT_TEXT = /^\uFFFD|\0.?\0/s;
const UNREADABLE: DraftedPlan = {
  source: "file",
  preface: "",
  tasks: [],
  done: [],
  issues: [{ line: 1, severity: "error", text: "This is not text in UTF-8; save it as UTF-8." }],
};

/** Reads a plan from Markdown or JSON, whichever its text is. Nothing is thrown: what is wrong is an issue with its line. */
export function readPlan(text: string): DraftedPlan {
  if (NOT_TEXT.test(text)) return UNREADABLE;
  const plain = text.replace(/^\uFEFF/, "");
  return JSON_BEGINNING.test(plain) ? readJsonPlan(plain) : readMarkdownPlan(plain);
}

/** A plan in Markdown. Texts that would be read as something else are quoted, so that the tasks are read as they are. */
export function planMarkdown({ preface, tasks, done }: DraftedPlan): string {
  const doneTasks = new Set(done.filter(({ id }) => isTaskId(id)));
  const ordered = [...tasks, ...doneTasks].toSorted((one, other) => one.line - other.line);
  const parts = [
    prefaceText(preface),
    ...ordered.map((task) => taskText(task, doneTasks.has(task) ? "[x] " : "")),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function taskText(task: DraftedTask, mark: string): string {
  const { id, subject, blockers, verify, files, estimateMs } = task;
  const globs = files.filter(
    (glob) =>
      /^[^`"\r\n\u2028\u2029]+$/.test(glob) &&
      glob.trim() !== "" &&
      !/^(?:none|nothing|nobody|n\/a|[-–—])$/i.test(glob),
  );
  const estimate = estimateMs === null ? null : estimateText(estimateMs);
  const head = [
    `### ${mark}${id}: ${subjectText(subject)}`,
    ...(blockers.length === 0 ? [] : [`blocked by: ${blockers.map((each) => each.id).join(", ")}`]),
    ...(verify === null ? [] : commandLines(verify)),
    ...(globs.length === 0 ? [] : [`files: ${globs.map(globText).join(", ")}`]),
    ...(estimate === null ? [] : [`estimate: ${estimate}`]),
  ].join("\n");
  const description = descriptionText(task);
  return description === "" ? head : `${head}\n\n${description}`;
}

const MOST_READINGS = 20;

/** Without what would be read as a field, or as the end of a sentence. */
function subjectText(subject: string): string {
  let text = subject.replace(/\s+/g, " ").trim();
  for (let readings = 0; readings < MOST_READINGS; readings += 1) {
    const [read] = readPlan(`### END-1: ${text}\n`).tasks;
    if (read?.subject === text && read.verify === null && read.blockers.length === 0) return text;
    text = read?.subject ?? "";
  }
  return "Work without a name";
}

function globText(glob: string): string {
  return /[\s,]/.test(glob) ? `"${glob}"` : glob;
}

/** A line that starts with a backtick would be read as code. */
function commandLines({ command, isProposed }: NonNullable<DraftedTask["verify"]>): readonly string[] {
  const field = isProposed ? "verify (proposed):" : "verify:";
  if (/^[^`\s].*$/.test(command)) return [`${field} ${command}`];
  const longest = Math.max(2, ...[...command.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [field, fence, command, fence];
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

function estimateText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms % each === 0) ?? ["s", 1_000];
  return `${ms / size}${unit}`;
}

function descriptionText({ description }: DraftedTask): string {
  const text = plainLines(description);
  const [read, ...others] = readPlan(`### TASK-1: Task\n\n${text}\n\n### END-1: End\n`).tasks;
  const isRead = read?.description === text && read.verify === null && read.blockers.length === 0;
  return isRead && others.length === 1 ? text : quoted(text);
}

function prefaceText(preface: string): string {
  const text = plainLines(preface);
  const { preface: read, tasks, done, issues } = readPlan(`${text}\n\n### END-1: End\n`);
  return read === text && tasks.length === 1 && done.length === 0 && issues.length === 0
    ? text
    : quoted(text);
}

const LONGEST_QUOTED = 9_900;

/** What is quoted is only shown. */
function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line.slice(0, LONGEST_QUOTED)}`.trimEnd())
    .join("\n");
}

function plainLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
