import type { Node, ParseError } from "jsonc-parser";
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import * as v from "valibot";
import type { DraftedPlan, DraftedTask, PlanIssue } from "./drafted-plan.ts";
import { TaskDraft } from "./task-draft.ts";

const texts = v.array(v.string());

/** One of `tasks`; docs/plan-files.md says what each means. */
const taskSchema = v.object({
  id: v.string(),
  subject: v.optional(v.string(), ""),
  description: v.optional(v.string(), ""),
  verify: v.nullish(v.string()),
  proposed: v.optional(v.boolean(), false),
  blockedBy: v.optional(texts, []),
  files: v.optional(texts, []),
  estimate: v.nullish(v.string()),
  done: v.optional(v.boolean(), false),
});

/** `{"spec": "…", "tasks": […]}`, or the tasks alone. */
export function readJsonPlan(text: string): DraftedPlan {
  const lineAt = lineFinder(text);
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const [wrong] = errors;
  if (root === null || wrong !== undefined) {
    const why =
      wrong === undefined ? "it is nested too deeply" : `${whatIsWrong(wrong)}, ${placeOf(wrong, text)}`;
    return nothing(lineAt(wrong?.offset ?? 0), `This is not valid JSON: ${why}.`);
  }
  const list = root.type === "array" ? root : findNodeAtLocation(root, ["tasks"]);
  if (list?.type !== "array") return nothing(lineAt(root.offset), 'A plan in JSON has a list of "tasks".');
  const read = (list.children ?? []).map((node) => readTask(node, lineAt));
  const tasksThatAre = (isDone: boolean): readonly DraftedTask[] =>
    read.flatMap((each) => (each.task !== null && each.isDone === isDone ? each.task : []));
  return {
    source: "file",
    isJson: true,
    preface: specOf(root),
    tasks: tasksThatAre(false),
    done: tasksThatAre(true),
    issues: read.flatMap(({ issues }) => issues),
  };
}

function specOf(root: Node): string {
  const spec: unknown = findNodeAtLocation(root, ["spec"])?.value;
  return typeof spec === "string" ? spec.trim() : "";
}

function parse(text: string, errors: ParseError[]): Node | null {
  try {
    return parseTree(text, errors, { disallowComments: true }) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function nothing(line: number, text: string): DraftedPlan {
  const issues = [{ line, severity: "error", text }] as const;
  return { source: "file", isJson: true, preface: "", tasks: [], done: [], issues };
}

const FORMS: { readonly [expected: string]: string } = {
  Object: "an object",
  Array: "a list",
  string: "a text",
  boolean: "true or false",
};

/** `CloseBraceExpected`: a closing brace is missing. */
function whatIsWrong({ error }: ParseError): string {
  const words = printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  const [, missing] = /^(.+) expected$/.exec(words) ?? [];
  if (missing === "end of file") return "something follows its end";
  return missing === undefined ? words : `a ${missing.replace("close", "closing")} is missing`;
}

const LONGEST_SHOWN = 20;

/** `in column 14, before "}"`. */
function placeOf({ offset }: ParseError, text: string): string {
  const column = offset - text.lastIndexOf("\n", offset - 1);
  const next = text.slice(offset).split("\n", 1)[0]?.slice(0, LONGEST_SHOWN).trim() ?? "";
  return `in column ${column}${next === "" ? ", at the end of the line" : `, before ${next}`}`;
}

type LineAt = (offset: number) => number;

interface ReadTask {
  readonly task: DraftedTask | null;
  readonly isDone: boolean;
  readonly issues: readonly PlanIssue[];
}

function readTask(node: Node, lineAt: LineAt): ReadTask {
  const line = lineAt(node.offset);
  const lineOf = (field: string): number => lineAt(findNodeAtLocation(node, [field])?.offset ?? node.offset);
  const parsed = v.safeParse(taskSchema, getNodeValue(node));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const path = v.getDotPath(issue);
    const what = path === null ? "A task" : `"${path}" of a task`;
    const text =
      issue.received === "undefined"
        ? `${what} is missing.`
        : `${what} should be ${FORMS[issue.expected ?? ""] ?? "of another form"}.`;
    const at = path === null ? line : lineOf(path.split(".")[0] ?? "");
    return { task: null, isDone: false, issues: [{ line: at, severity: "error", text }] };
  }
  const given = parsed.output;
  const draft = new TaskDraft(given.id.trim(), line, given.subject);
  for (const text of given.description.split(/\r\n|\n|\r/)) draft.addAsIs(text);
  draft.addBlockers(given.blockedBy, lineOf("blockedBy"));
  draft.addFiles(given.files, lineOf("files"));
  if (typeof given.verify === "string" && given.verify.trim() !== "")
    draft.addCommand(given.verify.trim(), lineOf("verify"), given.proposed);
  if (typeof given.estimate === "string") draft.addEstimate(given.estimate, lineOf("estimate"));
  const { task, issues } = draft.finish();
  return { task, isDone: given.done, issues: [...unknownFields(node, lineAt), ...issues] };
}

function unknownFields(node: Node, lineAt: LineAt): readonly PlanIssue[] {
  return (node.children ?? []).flatMap((property) => {
    const name: unknown = property.children?.[0]?.value;
    if (typeof name !== "string" || Object.hasOwn(taskSchema.entries, name)) return [];
    const shown = /^[\w$. -]{1,60}$/.test(name) ? `"${name}"` : "Something here";
    return {
      line: lineAt(property.offset),
      severity: "warning",
      text: `${shown} is not a field of a task; it is ignored.`,
    };
  });
}

/** From an offset to its line, from 1. */
function lineFinder(text: string): LineAt {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
