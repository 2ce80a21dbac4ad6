import type { Command } from "commander";
import { Option } from "commander";
import type { Kind } from "../../../core/stages/stages.ts";
import { KINDS } from "../../../core/stages/stages.ts";

export interface WorkflowFlags {
  readonly workflow?: boolean;
  readonly kind?: Kind;
  readonly proposeTests?: boolean;
}

export function kindOption(): Option {
  return new Option("--kind <kind>", "what kind of work it is (default: as the spec's words say)").choices(
    KINDS,
  );
}

/** How a workflow gets to its plan. */
export function addWorkflowOptions(command: Command): Command {
  return command
    .option("--workflow", "settle what is meant, draw its shape, split it into tasks, then work on them")
    .addOption(kindOption())
    .option("--propose-tests", "let a model write tests for criteria without a check, and hold them out");
}

export function taskListOption(): Option {
  return new Option(
    "--task-list <id>",
    "mirror a workflow's tasks in this list of Claude Code; new: one of its own, session: none",
  );
}
