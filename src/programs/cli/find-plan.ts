import type { PlanText } from "../../engine/opening/plan-source.ts";
import { planOfTaskList } from "../../engine/opening/plan-source.ts";
import { UserError } from "../../core/user-error.ts";
import { hasErrors } from "../../core/plan-files/lint-plan.ts";
import { readPlan } from "../../core/plan-files/plan-text.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { shellWord } from "../../system/text/command-line.ts";
import type { Context } from "./context.ts";
import { fileWord } from "./file-word.ts";
import { readWholeText } from "./read-text.ts";

/** A plan by the name that people gave it. */
export interface NamedPlan extends PlanText {
  readonly name: string;
}

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
