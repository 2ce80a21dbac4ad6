import { expectSeen, planOfTaskList, type NamedPlan } from "../../engine/opening/plan-source.ts";
import { UserError } from "../../core/user-error.ts";
import { hasErrors, lintPlan } from "../../core/plan-files/lint-plan.ts";
import { readPlan } from "../../core/plan-files/plan-text.ts";
import { oneLine, printable, shellWord } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";
import { fileWord, readWholeText } from "./read-text.ts";

/** As the value of --plan. */
const STANDARD_INPUT = "-";

interface FoundPlan extends NamedPlan {
  /** It is meant as a plan, even if it has no task. */
  readonly isPlan: boolean;
}

export function findPlan(context: Context, words: readonly string[], file: string | undefined): FoundPlan {
  if (file !== undefined && words.length > 0)
    throw new UserError("Give the plan as words or with --file, not both.");
  const given = file ?? words.join(" ");
  if (given.trim() === "") throw new UserError("Give a plan, for example: loop plan PLAN.md");
  const [, list] = /^tasks:(.+)$/.exec(given) ?? [];
  if (list !== undefined) return { name: given, isPlan: true, ...planOfTaskList(context.machine, list) };
  const word = file === undefined ? fileWord(context, given) : null;
  if (word === "missing" || word === "folder")
    throw new UserError(
      `${oneLine(given, 200)} ${word === "folder" ? "is a folder" : "does not exist"}; name the file of a plan, or say in words what you want.`,
    );
  const isPath = file !== undefined || word === "file";
  const text = isPath ? readWholeText(context, given) : given;
  const draft = readPlan(text);
  // A plan that cannot be read is not a spec.
  const isPlan = (file === undefined && isPath) || hasErrors(draft.issues);
  return { name: given === "-" ? "stdin" : isPath ? given : "spec", text, draft, isPlan, list: null };
}

/** How a command line names the plan. */
export function planWord({ name }: Pick<NamedPlan, "name">): string {
  return name === "stdin" ? "FILE" : shellWord(name);
}

/** A plan without errors; its warnings are shown. `spec`: what it is for, if it doesn't say so itself. */
export function soundPlan(context: Context, file: string | undefined, spec = ""): NamedPlan {
  const plan = findPlan(context, [], file);
  const { name, draft } = plan;
  const issues = lintPlan(draft, spec === "" ? draft.preface : spec);
  for (const { line, severity, text } of issues)
    context.terminal.complain(`loop: ${name}:${line}: ${severity}: ${printable(text)}`);
  if (hasErrors(issues))
    throw new UserError(
      `The plan has errors; put them right first. See it with: loop plan ${planWord(plan)}`,
    );
  return plan;
}

/** A sound plan that a session may work on. */
export function planOfSession(context: Context, file: string | undefined, spec: string): NamedPlan {
  const plan = soundPlan(context, file, spec);
  expectSeen(context.machine, plan, { isTyped: file === STANDARD_INPUT });
  return plan;
}
