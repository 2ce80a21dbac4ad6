import { InvalidArgumentError, Option, type Command } from "commander";
import { parseLabel } from "../../../engine/fleet/queues.ts";
import { KINDS, type Kind } from "../../../core/stages/stages.ts";
import { FINDING_POLICIES, type FindingPolicy } from "../../../core/questions/review/counted-findings.ts";
import { DELIVERY_POLICIES, type DeliveryPolicy } from "../../../engine/run/agent-choice.ts";
import { expectAgent } from "./agent-options.ts";
import { allowCheckOption, collect, noModelOption, parseAmount, parseCount } from "../options.ts";
import { UserError } from "../../../core/user-error.ts";
import { commitLater } from "../../../engine/run/commit-of-loop.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { commitLines } from "../../../views/commit-message.ts";
import { statusView } from "../../../views/status.ts";
import { printJson, type Context } from "../context.ts";

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
    "show the work in this list of Claude Code (in a session by default in its own); new: one for this project, session: none",
  );
}

export interface PlanFlags {
  readonly plan?: string;
  readonly planDigest?: string;
  readonly parallel?: number;
  readonly setup?: string;
  readonly copy?: readonly string[];
  readonly fallback?: readonly string[];
  /** Gigabytes. */
  readonly maxDisk?: number;
  readonly findings?: FindingPolicy;
  readonly deliver?: DeliveryPolicy;
  readonly fleet?: string;
  readonly label?: string;
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
    .option(
      "--fallback <agent>",
      "works on while the chosen agent waits for a usage limit (repeatable)",
      collectAgents,
    )
    .option("--max-disk <gb>", "what the worktrees may take on the disk (default 20 GB)", parseAmount)
    .addOption(findingsOption())
    .addOption(
      new Option(
        "--deliver <which>",
        "when tasks were given up: pause (all), or deliver what is done without them (done)",
      ).choices(DELIVERY_POLICIES),
    )
    .option(
      "--fleet <url>",
      "hand the attempts to the workers of this fleet, @FILE with its URL, or none (default: LOOP_FLEET)",
    )
    .option("--label <name>", "with a fleet: only workers with this label take them", expectLabel)
    .addOption(allowCheckOption())
    .addOption(noModelOption("ask no model beside the work: no questions, no reviews"));
}

/** It becomes part of a queue's name. */
export function expectLabel(text: string): string {
  if (parseLabel(text) === null)
    throw new InvalidArgumentError("A label has letters, digits, - and _, at most 40 of them.");
  return text;
}

function collectAgents(agent: string, before: readonly string[] = []): readonly string[] {
  return collect(expectAgent(agent), before);
}

export interface CommitFlags {
  readonly worktree?: boolean;
  readonly commit?: boolean;
}

/** Where the work ends up. */
export function addCommitOptions(command: Command): Command {
  return command
    .option("--worktree", "work in a worktree and on a branch of its own, and commit there at the end")
    .option("--commit", "commit verified work on your branch at the end, and nothing of yours with it");
}

/** A plan has worktrees and commits anyway. */
export function expectCommitFlags(
  { worktree, commit, plan, setup, copy }: CommitFlags & PlanFlags,
  hasTasks: boolean,
): void {
  const flag = worktree === true ? "--worktree" : commit === true ? "--commit" : null;
  if (flag !== null && hasTasks)
    throw new UserError(
      `${plan === undefined ? "A workflow" : "A plan"} works in worktrees and commits by itself; leave out ${flag}.`,
    );
  if (worktree !== true && !hasTasks && (setup !== undefined || copy !== undefined))
    throw new UserError("--setup and --copy prepare worktrees; add --worktree, or leave them out.");
}

/** The last step of a run that was killed. */
export async function commitNow(
  context: Context,
  chosen: KnownLoop,
  flags: { readonly json?: boolean },
): Promise<void> {
  const { terminal, machine } = context;
  const why = await commitLater(machine, chosen);
  const { loop } = chosen.live;
  if (flags.json === true) printJson(context, statusView(loop, null));
  else for (const line of commitLines(loop)) terminal.print(`[LOOP] ${line}`);
  if (why !== null) terminal.complain(`loop: Not committed: ${why}.`);
  context.endWith(why === null && loop.commit?.made?.why == null ? 0 : 1);
}
