import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import type { Kind } from "../../core/stages/stages.ts";
import { KINDS } from "../../core/stages/stages.ts";
import { isCheckPattern } from "../../judgement/allowed-checks.ts";
import { collect } from "../options.ts";

export interface WorkflowFlags {
  readonly workflow?: boolean;
  readonly noModel?: boolean;
  readonly kind?: Kind;
  readonly allowCheck?: readonly string[];
  readonly proposeTests?: boolean;
}

/** How a workflow gets to its plan, and whether models are asked on the way and about the work. */
export function addWorkflowOptions(command: Command): Command {
  const noModel = new Option("--no-model", "ask no model on the way to the plan and about the work");
  // Otherwise it would be the opposite of --model.
  noModel.negate = false;
  return command
    .option("--workflow", "settle what is meant, draw its shape, split it into tasks, then work on them")
    .addOption(noModel)
    .addOption(
      new Option("--kind <kind>", "what kind of work it is (default: as the spec's words say)").choices(
        KINDS,
      ),
    )
    .option(
      "--allow-check <pattern>",
      "a command that a model writes may be a check if it matches; * stands for arguments (repeatable)",
      collectPattern,
    )
    .option("--propose-tests", "let a model write tests for criteria without a check, and hold them out");
}

function collectPattern(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!isCheckPattern(text))
    throw new InvalidArgumentError("Begin it with the name of a program, such as 'npm test*' or 'pytest *'.");
  return collect(text, before);
}
