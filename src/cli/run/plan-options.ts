import type { Command } from "commander";
import { Option } from "commander";
import { DRIVER_IDS } from "../../drivers/driver.ts";
import type { FindingPolicy } from "../../judgement/review/decided.ts";
import { FINDING_POLICIES } from "../../judgement/review/decided.ts";
import { allowCheckOption, collect, noModelOption, parseCount } from "../options.ts";

export interface PlanFlags {
  readonly plan?: string;
  readonly planDigest?: string;
  readonly parallel?: number;
  readonly setup?: string;
  readonly copy?: readonly string[];
  readonly fallback?: readonly string[];
  readonly findings?: FindingPolicy;
  readonly noModel?: boolean;
  readonly allowCheck?: readonly string[];
}

/** What becomes of what a review found. */
export function findingsOption(): Option {
  return new Option(
    "--findings <policy>",
    "blockers of a review become tasks (default), or are skipped, which leaves weak evidence",
  ).choices(FINDING_POLICIES);
}

export function addPlanOptions(command: Command): Command {
  return command
    .option(
      "--plan <file>",
      "work on the tasks of a plan, several at once: a file, or tasks:LIST of Claude Code",
    )
    .option(
      "--plan-digest <sha256>",
      "approve the commands of the plan with this digest, where nobody can be asked",
    )
    .option("--parallel <n>", "how many tasks at once (default 3)", parseCount)
    .option("--setup <command>", "prepare each worktree with this (default: what the lock files ask for)")
    .option("--copy <file>", "an ignored file that each worktree gets, such as .env (repeatable)", collect)
    .addOption(
      new Option("--fallback <agent>", "works on while the chosen agent waits for a usage limit (repeatable)")
        .choices(DRIVER_IDS)
        .argParser(collect),
    )
    .addOption(findingsOption())
    .addOption(allowCheckOption())
    .addOption(noModelOption("ask no model beside the work: no questions, no reviews"));
}
