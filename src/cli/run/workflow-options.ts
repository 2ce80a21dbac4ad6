import type { Command } from "commander";
import { Option } from "commander";
import type { Kind } from "../../core/stages/stages.ts";
import { KINDS } from "../../core/stages/stages.ts";
import { allowCheckOption, noModelOption } from "../options.ts";

export interface WorkflowFlags {
  readonly workflow?: boolean;
  readonly noModel?: boolean;
  readonly kind?: Kind;
  readonly allowCheck?: readonly string[];
  readonly proposeTests?: boolean;
}

/** How a workflow gets to its plan, and whether models are asked on the way and about the work. */
export function addWorkflowOptions(command: Command): Command {
  return command
    .option("--workflow", "settle what is meant, draw its shape, split it into tasks, then work on them")
    .addOption(noModelOption("ask no model on the way to the plan and about the work"))
    .addOption(
      new Option("--kind <kind>", "what kind of work it is (default: as the spec's words say)").choices(
        KINDS,
      ),
    )
    .addOption(allowCheckOption())
    .option("--propose-tests", "let a model write tests for criteria without a check, and hold them out");
}
