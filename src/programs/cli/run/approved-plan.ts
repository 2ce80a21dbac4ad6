import { approvalOfPlan, approvePlanText } from "../../../engine/opening/plan-source.ts";
import { UserError } from "../../../core/user-error.ts";
import { hasErrors, lintPlan } from "../../../core/plan-files/lint-plan.ts";
import { printable } from "../../../system/text/plain-text.ts";
import { shellWord } from "../../../system/text/shell-word.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import type { NamedPlan } from "../find-plan.ts";
import { findPlan, planWord } from "../find-plan.ts";
import { confirm } from "../questions/confirm.ts";
import type { PlanFlags } from "./plan-options.ts";

export type ApprovalFlags = Pick<PlanFlags, "planDigest"> & { readonly json?: boolean };

/** As the value of --plan. */
const STANDARD_INPUT = "-";

/** A plan without errors; its warnings are shown. */
export function soundPlan(context: Context, file: string | undefined): NamedPlan {
  const plan = findPlan(context, [], file);
  const { name, draft } = plan;
  const issues = lintPlan(draft);
  for (const { line, severity, text } of issues)
    context.terminal.complain(`loop: ${name}:${line}: ${severity}: ${printable(text)}`);
  if (hasErrors(issues))
    throw new UserError(
      `The plan has errors; put them right first. See it with: loop plan ${planWord(plan)}`,
    );
  return plan;
}

/**
 * A session's host has asked its user about this very command. A plan on standard input is part of it; of one in a file the user has
 * seen the name, and none of its commands.
 */
export function planOfSession(context: Context, file: string | undefined): NamedPlan {
  const plan = soundPlan(context, file);
  const { name, text, draft } = plan;
  const hasCommands = draft.tasks.some(({ verify }) => verify !== null);
  if (file === STANDARD_INPUT || !hasCommands || approvalOfPlan(context.machine, text).isApproved)
    return plan;
  throw new UserError(
    `Nobody has approved the commands of ${name} on this machine. Give the plan on standard input, so that the user sees it: --plan - <<'END_OF_PLAN'. Or let the user type: loop plan ${name} --approve`,
  );
}

/** A stranger's command never runs: a person has approved this very text, here or by its digest. */
export async function expectApproved(
  context: Context,
  { name, text, draft }: NamedPlan,
  flags: ApprovalFlags,
): Promise<void> {
  const { machine, terminal } = context;
  const { digest, isApproved } = approvalOfPlan(machine, text);
  const commands = draft.tasks.flatMap(({ id, verify }) =>
    verify === null ? [] : [`${id}  ${verify.isProposed ? "proposed by a model: " : ""}${verify.command}`],
  );
  if (isApproved || commands.length === 0 || flags.planDigest === digest) return;
  if (flags.planDigest !== undefined)
    throw new UserError(`The plan's digest is ${digest}, and not the one that --plan-digest names.`);
  if (!isAttended(context, flags))
    throw new UserError(
      `Nobody has approved the commands of ${name} on this machine; approve them with: loop plan ${shellWord(name)} --approve, or name their text with --plan-digest ${digest}`,
    );
  terminal.complain("loop: The plan runs these commands as checks:");
  for (const command of commands) terminal.complain(`  ${printable(command)}`);
  if (!(await confirm(terminal, "Let them run here?", "no")))
    throw new UserError("Nothing was approved, so nothing runs.");
  await approvePlanText(machine, text);
}
