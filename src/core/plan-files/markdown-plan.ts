import { numberedId, type DraftedPlan, type DraftedTask, type PlanIssue } from "./drafted-plan.ts";
import { misspeltField, readField } from "./fields.ts";
import { markdownLines, indentOf, readTaskHead, type MarkdownLine, type TaskHead } from "./markdown-lines.ts";
import { TaskDraft } from "./task-draft.ts";

const LONGEST_LINE = 10_000;

/** Reads `### T-001: …` and `- [ ] T-001: …`. Where no task has an id, each item of the checklist is one and gets the next. */
export function readMarkdownPlan(text: string): DraftedPlan {
  const { lines, openFence } = markdownLines(text);
  const heads = new Map<number, TaskHead>();
  const issues: PlanIssue[] = [];
  for (const { number, kind, text: line } of lines) {
    if (line.length > LONGEST_LINE) issues.push(tooLong(number, line));
    const head = kind === "prose" && line.length <= LONGEST_LINE ? readTaskHead(line) : null;
    if (head !== null) heads.set(number, head);
  }
  if (openFence !== null)
    issues.push({
      line: openFence,
      severity: "warning",
      text: "This code block is never closed, so nothing after it is a task.",
    });
  const isChecklist = ![...heads.values()].some(({ id }) => id !== null);
  const reader = new PlanReader(isChecklist ? numbered(heads) : heads, isChecklist);
  for (const line of lines) if (line.text.length <= LONGEST_LINE) reader.read(line);
  return reader.finish(issues);
}

function tooLong(line: number, { length }: string): PlanIssue {
  return {
    line,
    severity: "error",
    text: `This line has ${length} characters; a line of a plan has at most ${LONGEST_LINE}.`,
  };
}

/** Items within an item say more about it. What is done keeps its number, so that the others keep theirs. */
function numbered(heads: ReadonlyMap<number, TaskHead>): ReadonlyMap<number, TaskHead> {
  const result = new Map<number, TaskHead>();
  let count = 0;
  let outer: number | null = null;
  for (const [line, head] of heads) {
    if (head.kind === "heading") outer = null;
    const isTask = head.kind === "item" && (outer === null || head.depth < outer + 2);
    if (isTask) {
      outer = head.depth;
      count += 1;
    }
    result.set(line, isTask ? { ...head, id: numberedId(count) } : head);
  }
  return result;
}

interface Current {
  readonly draft: TaskDraft;
  readonly head: TaskHead;
}

/** Gives each line to the task that it belongs to. */
class PlanReader {
  readonly #heads: ReadonlyMap<number, TaskHead>;
  readonly #isChecklist: boolean;
  readonly #preface: string[] = [];
  readonly #read: Current[] = [];
  readonly #issues: PlanIssue[] = [];
  #current: Current | null = null;
  #isAfterBlank = false;
  /** The line of a `verify:` whose command is in the code block below it, and that command's lines. */
  #awaited: { readonly line: number; readonly code: string[]; readonly isProposed: boolean } | null = null;

  constructor(heads: ReadonlyMap<number, TaskHead>, isChecklist: boolean) {
    this.#heads = heads;
    this.#isChecklist = isChecklist;
  }

  read(line: MarkdownLine): void {
    const head = this.#heads.get(line.number) ?? null;
    if (line.kind === "comment") return;
    if (line.kind !== "prose") this.#readShown(line);
    else if (head !== null && head.id !== null) this.#begin(head.id, head, line.number);
    else if (head !== null) this.#readOtherHead(head, line);
    else this.#readText(line);
    if (line.kind === "prose") this.#isAfterBlank = line.text.trim() === "";
  }

  finish(issues: readonly PlanIssue[]): DraftedPlan {
    this.#endAwaited();
    const read = this.#read.map(({ draft, head }) => ({ ...draft.finish(), isDone: head.isDone }));
    const tasksThatAre = (isDone: boolean): readonly DraftedTask[] =>
      read.filter((each) => each.isDone === isDone).map(({ task }) => task);
    const source = this.#isChecklist ? "checklist" : "file";
    return {
      source,
      preface: this.#preface.join("\n").trim(),
      tasks: tasksThatAre(false),
      done: tasksThatAre(true),
      issues: [...issues, ...this.#issues, ...read.flatMap((each) => (each.isDone ? [] : each.issues))],
    };
  }

  #begin(id: string, head: TaskHead, line: number): void {
    this.#endAwaited();
    this.#current = { draft: new TaskDraft(id, line, head.subject), head };
    this.#read.push(this.#current);
  }

  /** A heading or an item that is no task: part of the one around it, or its end. */
  #readOtherHead(head: TaskHead, line: MarkdownLine): void {
    this.#endAwaited();
    const around = this.#current?.head;
    const isInside =
      around !== undefined &&
      (around.kind === head.kind ? head.depth > around.depth : around.kind === "heading");
    if (isInside) return this.#current?.draft.addAsIs(line.text);
    this.#current = null;
    if (head.kind === "heading") return this.#addToPreface(line);
    this.#issues.push({
      line: line.number,
      severity: "warning",
      text: "This item has no id, so it is not a task of this plan; give it one, such as T-001, or leave it out.",
    });
  }

  #readText(line: MarkdownLine): void {
    const field = this.#current === null ? null : readField(line.text);
    if (line.text.trim() !== "") this.#endAwaited();
    if (this.#current === null) return this.#addToPreface(line);
    const { draft, head } = this.#current;
    if (field !== null) {
      const { name, value, isProposed } = field;
      if (name === "verify" && value === "") this.#awaited = { line: line.number, code: [], isProposed };
      else draft.addField(field, line.number);
      return;
    }
    if (head.kind === "item" && this.#endsItem(line.text, head.depth)) this.#current = null;
    else {
      draft.addText(line.text, line.number);
      this.#warnOfTypo(line);
    }
  }

  #warnOfTypo({ text, number }: MarkdownLine): void {
    const typo = misspeltField(text);
    if (typo === null) return;
    this.#issues.push({
      line: number,
      severity: "warning",
      text: `"${typo.written}:" is not a field of a task, so this line is part of the description. Is ${typo.meant}: meant?`,
    });
  }

  /** Text that is not indented goes on with an item only right below it. */
  #endsItem(text: string, depth: number): boolean {
    if (text.trim() === "" || indentOf(text) > depth) return false;
    return this.#isAfterBlank || /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text);
  }

  /** Code and quotations, in which nothing is a field; only a command may be awaited there. */
  #readShown(line: MarkdownLine): void {
    const { kind, text } = line;
    if (this.#awaited === null || kind === "quote") {
      if (this.#current === null) this.#addToPreface(line);
      else this.#current.draft.addAsIs(text);
      return;
    }
    if (kind === "code") this.#awaited.code.push(text.trim());
    else if (this.#awaited.code.length > 0) this.#endAwaited();
  }

  #endAwaited(): void {
    if (this.#awaited === null) return;
    const { line, code, isProposed } = this.#awaited;
    this.#awaited = null;
    const command = code.join("\n").trim();
    if (command === "") this.#current?.draft.addVerify("", line);
    else this.#current?.draft.addCommand(command, line, isProposed);
  }

  #addToPreface({ text }: MarkdownLine): void {
    if (this.#read.length === 0) this.#preface.push(text);
  }
}
