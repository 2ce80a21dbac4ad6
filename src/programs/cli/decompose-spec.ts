import { lstatSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { clearSpec } from "../../engine/opening/clear-spec.ts";
import { givenCriteria } from "../../engine/opening/given-criteria.ts";
import type { NamedPlan } from "../../engine/opening/plan-source.ts";
import { shapeOfEnv, standHere } from "../../engine/opening/resolve-opening.ts";
import { discoverHere, testsOf, type FoundHere } from "../../engine/opening/propose-checks.ts";
import { priceTable } from "../../engine/stop/spending.ts";
import { agentAsker } from "../../engine/asking/agent-asker.ts";
import { plainAccount } from "../../engine/asking/loop-account.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { isAllowedCheck, type AllowedChecks } from "../../core/questions/allowed-checks.ts";
import { decompose, ownTasks } from "../../core/questions/decompose.ts";
import { UserError } from "../../core/user-error.ts";
import type { DraftedPlan } from "../../core/plan-files/drafted-plan.ts";
import { planMarkdown } from "../../core/plan-files/plan-text.ts";
import { driverOf } from "../../engine/run/agent-choice.ts";
import { costText } from "../../views/cost.ts";
import { expectOutside, type Context } from "./context.ts";
import { tellUnclear } from "./run/endings.ts";
import { openerOf } from "./opener.ts";
import type { PlanMaker } from "../../views/terminal/plan-report.ts";
import { agentChoice, type AgentFlags } from "./run/agent-options.ts";
import { answerSignals, INTERRUPTED } from "./ending-process.ts";

export interface DecomposeFlags extends Pick<AgentFlags, "agent" | "model" | "agentArg" | "script"> {
  readonly criterion?: readonly string[];
  readonly allowCheck?: readonly string[];
  readonly noModel?: boolean;
  readonly budget: number;
  readonly checkTimeout: number;
  readonly out?: string;
  readonly json?: boolean;
}

export interface MadePlan extends NamedPlan {
  readonly maker: PlanMaker | null;
  /** Otherwise it is only shown. */
  readonly isFile: boolean;
}

const ANYWAY = "Did not plan. To plan it anyway, give a check with -c 'NAME=COMMAND', or add --no-model.";

/** The plan of a spec: the agent's, or without a model the spec's own tasks. null: there is none, and the user has been told. */
export async function decomposeSpec(
  context: Context,
  spec: string,
  flags: DecomposeFlags,
): Promise<MadePlan | null> {
  // Before anything is paid.
  if (flags.out !== undefined) expectWritable(context, flags.out);
  const found = await discoverHere(context.machine);
  const made =
    flags.noModel === true ? withoutModel(spec, found) : await askAgent(context, spec, flags, found);
  if (made === null) return null;
  const isFile = flags.out !== undefined && isWritten(context, flags.out, made.text);
  return { ...made, list: null, name: isFile ? (flags.out ?? "") : "plan", isFile };
}

type Made = Omit<MadePlan, "name" | "isFile" | "list">;

function withoutModel(spec: string, found: FoundHere): Made {
  const tests = testsOf(found);
  const draft = ownTasks(spec, { check: tests === null ? null : `${found.goThere}${tests.command}` });
  return { draft, text: planMarkdown(draft), maker: null };
}

async function askAgent(
  context: Context,
  spec: string,
  flags: DecomposeFlags,
  found: FoundHere,
): Promise<Made | null> {
  const { machine, terminal, cli } = context;
  expectOutside(context);
  const { callerLocation, used } = standHere(machine, {});
  const { root } = callerLocation.project;
  const choice = agentChoice(flags, null, used.config, machine);
  const opener = openerOf(context, flags);
  const given = await givenCriteria(opener, flags);
  for (const notice of given.notices) opener.tell(notice);
  const asked = {
    spec,
    criteria: given.criteria,
    mustNots: [],
    protects: [],
    shape: shapeOfEnv(machine.env),
  };
  const cleared = await clearSpec(opener, asked);
  if (cleared.type !== "clear") return tellUnclear(context, cleared, { json: flags.json, anyway: ANYWAY });
  const { asked: clear } = cleared;
  const allowed = allowedChecks(found, flags);
  const account = await plainAccount(machine, root, flags.budget);
  const stopped = new AbortController();
  answerSignals(() => stopped.abort());
  const { title } = driverOf(choice, cli);
  terminal.complain(`loop: ${title} reads the project and splits the work into tasks; nothing is changed.`);
  try {
    const asker = agentAsker({ machine, root, account, choice, prices: priceTable(machine), cli });
    const work = {
      spec: clear.spec,
      shape: {
        criteria: clear.criteria.map((each) => ({ ...each, proposed: null })),
        decisions: [],
      },
      discovered: allowed.discovered,
      commit: await machine.git.headCommit(root),
    };
    const made = await decompose(work, asker, stopped.signal);
    const spend = { ...account.spend(), tokens: 0 };
    terminal.complain(`loop: Cost: ${costText({ limits: { budgetUsd: flags.budget }, spend })}`);
    if (stopped.signal.aborted) return interrupted(context);
    if (made.type === "none")
      throw new UserError(
        `${title} gave no plan: ${made.why.replace(/\.$/, "")}. Try again, or use the spec's own checklist with --no-model.`,
      );
    const draft = withProposals(made.draft, allowed);
    return { draft, text: planMarkdown(draft), maker: { agent: made.agent, spend } };
  } finally {
    await account.leave();
  }
}

/** Marks the commands that nobody has allowed, here and in the file of the plan. */
function withProposals(draft: DraftedPlan, allowed: AllowedChecks): DraftedPlan {
  const tasks = draft.tasks.map((task) => {
    const { verify } = task;
    if (verify === null) return task;
    return { ...task, verify: { ...verify, isProposed: !isAllowedCheck(verify.command, allowed) } };
  });
  return { ...draft, tasks };
}

function interrupted({ endWith }: Context): null {
  endWith(INTERRUPTED);
  return null;
}

function allowedChecks(found: FoundHere, { allowCheck = [] }: DecomposeFlags): AllowedChecks {
  return {
    discovered: found.checks.map(({ command }) => `${found.goThere}${command}`),
    patterns: allowCheck,
  };
}

function expectWritable({ machine }: Context, out: string): void {
  const path = resolve(machine.cwd, out);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new UserError(`${out} is there already; name another file.`);
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`${out} cannot be written: there is no folder ${dirname(out)}.`);
}

/** A plan that was paid for is shown, even if it can't be kept. */
function isWritten({ machine, terminal, endWith }: Context, out: string, text: string): boolean {
  try {
    writeFileSync(resolve(machine.cwd, out), text, { flag: "wx" });
    return true;
  } catch (error) {
    terminal.complain(
      `loop: ${out} cannot be written (${errnoOf(error) ?? "unknown error"}); this is the plan:`,
    );
    endWith(1);
    return false;
  }
}
