import { type DraftedTask, type PlanIssue, numberedId } from "./drafted-plan.ts";
import {
  type Value,
  type Field,
  isInsideProject,
  readBlockers,
  readCommand,
  readEstimate,
  readGlobs,
  takeFields,
} from "./fields.ts";
import { describeCheck } from "../loop/criterion.ts";
import { isFinalTask, type Plan, type PlannedTask } from "../plan/plan.ts";
import { lintPlan } from "./lint-plan.ts";

const LONGEST_SUBJECT = 200;
const LONGEST_DESCRIPTION = 10_000;
const LONGEST_COMMAND = 4_000;

/** A task while its lines are read. */
export class TaskDraft {
  readonly #id: string;
  readonly #line: number;
  readonly #subject: string;
  readonly #description: string[] = [];
  readonly #blockers = new Map<string, number>();
  readonly #files: string[] = [];
  readonly #issues: PlanIssue[] = [];
  #verify: DraftedTask["verify"] = null;
  #estimateMs: number | null = null;

  constructor(id: string, line: number, subject: string) {
    this.#id = id;
    this.#line = line;
    const taken = takeFields(subject, "subject");
    this.#subject = taken.text.replace(/\s+/g, " ");
    this.addBlockers(taken.blockers, line);
    if (taken.verify !== null) this.addVerify(taken.verify, line);
  }

  addText(text: string, line: number): void {
    const taken = takeFields(text, "description");
    this.addBlockers(taken.blockers, line);
    if (taken.verify !== null) this.addVerify(taken.verify, line);
    const isOnlyFields = taken.text === "" && text.trim() !== "";
    if (!isOnlyFields) this.addAsIs(taken.text === text.trim() ? text : taken.text);
  }

  /** Code, in which nothing is a field. */
  addAsIs(text: string): void {
    this.#description.push(text.trimEnd());
  }

  addField({ name, value, isProposed }: Field, line: number): void {
    switch (name) {
      case "blocked by":
        return this.addBlockers(readBlockers(value), line);
      case "verify":
        return this.addVerify(value, line, isProposed);
      case "files":
        return this.addFiles(readGlobs(value), line);
      case "estimate":
        return this.addEstimate(value, line);
    }
  }

  addBlockers(ids: readonly string[], line: number): void {
    for (const id of ids) if (!this.#blockers.has(id)) this.#blockers.set(id, line);
  }

  addVerify(text: string, line: number, isProposed = false): void {
    this.addCommand(this.#said(readCommand(text), line), line, isProposed);
  }

  addCommand(command: string | null, line: number, isProposed = false): void {
    if (command === null) return;
    const refused =
      this.#verify === null ? refusal(command) : "says verify: twice; write one command, with && between";
    if (refused === null) this.#verify = { command, line, isProposed };
    else this.#report("error", `${this.#id} ${refused}.`, line);
  }

  addFiles(globs: readonly string[], line: number): void {
    const outside = globs.filter((glob) => !isInsideProject(glob));
    if (outside.length > 0)
      this.#report("warning", `files: takes globs inside the project, and not ${outside.join(", ")}.`, line);
    for (const glob of globs.filter(isInsideProject)) this.#files.push(glob);
  }

  addEstimate(text: string, line: number): void {
    this.#estimateMs = this.#said(readEstimate(text), line) ?? this.#estimateMs;
  }

  finish(): { readonly task: DraftedTask; readonly issues: readonly PlanIssue[] } {
    const description = this.#description.join("\n").trim();
    const task: DraftedTask = {
      id: this.#id,
      line: this.#line,
      subject: this.#bounded("subject", this.#subject, LONGEST_SUBJECT),
      description: this.#bounded("description", description, LONGEST_DESCRIPTION),
      verify: this.#verify,
      blockers: [...this.#blockers].map(([id, line]) => ({ id, line })),
      files: this.#files,
      estimateMs: this.#estimateMs,
    };
    return { task, issues: this.#issues };
  }

  #bounded(what: string, text: string, limit: number): string {
    if (text.length <= limit) return text;
    const lengths = `${text.length} characters; only the first ${limit} are used`;
    this.#report("warning", `The ${what} of ${this.#id} has ${lengths}.`, this.#line);
    return `${text.slice(0, limit - 1)}…`;
  }

  #said<Read>(value: Value<Read>, line: number): Read | null {
    if (value.why !== null) this.#report("warning", `${value.why}.`, line);
    return value.read;
  }

  #report(severity: PlanIssue["severity"], text: string, line: number): void {
    this.#issues.push({ line, severity, text });
  }
}

/** A command that is cut would be another one. */
function refusal(command: string): string | null {
  if (command.length > LONGEST_COMMAND)
    return `has a check of ${command.length} characters; put what is longer than ${LONGEST_COMMAND} into a script`;
  return command.includes("\0") ? "has a check with a NUL character, which no program can be given" : null;
}

/** What a person says about a task. What isn't there stays as it is. */
export interface TaskWords {
  readonly subject?: string;
  readonly description?: string;
  /** The command of its check. */
  readonly verify?: string;
  readonly blockedBy?: readonly string[];
  readonly files?: readonly string[];
}

const NUMBERED = /^T-(\d+)$/;

/** The next free number. */
export function nextTaskId({ tasks }: Plan): string {
  return numberedId(1 + Math.max(0, ...tasks.map(({ id }) => Number(NUMBERED.exec(id)?.[1] ?? 0))));
}

export function emptyTask(id: string): PlannedTask {
  return {
    id,
    subject: "",
    description: "",
    check: null,
    proposed: null,
    blockedBy: [],
    files: [],
    estimateMs: null,
  };
}

/** `timeoutMs`: how long its check may take, if it has a new one. */
export function withWords(task: PlannedTask, words: TaskWords, timeoutMs: number): PlannedTask {
  const { verify, ...rest } = words;
  if (verify === undefined) return { ...task, ...rest };
  const check = { command: { kind: "shell", line: verify }, timeoutMs, passEnv: [] } as const;
  return { ...task, ...rest, check, proposed: null };
}

/** All that is wrong with a task, in the plan that it would be part of. That it has no check is for the caller to say. */
export function lintTask({ source, tasks }: Plan, changed: PlannedTask, spec: string): readonly PlanIssue[] {
  const others = tasks.filter(({ id }) => id !== changed.id && !isFinalTask(id));
  const drafted = [changed, ...others].map(draftOf);
  const issues = lintPlan({ source, preface: spec, tasks: drafted, done: [], issues: [] }, spec);
  return issues.filter(({ line }) => line === 1);
}

/** The changed task comes first, because a cycle is reported at its lowest line. */
function draftOf({ check, blockedBy, ...task }: PlannedTask, index: number): DraftedTask {
  const line = index + 1;
  const command = check === null ? "" : describeCheck(check);
  return {
    ...task,
    line,
    verify: { command, line, isProposed: false },
    blockers: blockedBy.map((id) => ({ id, line })),
  };
}
