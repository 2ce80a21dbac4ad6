import type { DraftedTask, PlanIssue } from "./drafted-plan.ts";
import type { Value, Field } from "./fields.ts";
import { isInsideProject, readBlockers, readCommand, readEstimate, readGlobs, takeFields } from "./fields.ts";

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
