import { guardedFiles } from "../../engine/stop/guarded-files.ts";
import type { AskedLoop } from "../../engine/opening/open-loop.ts";
import { workplaceFor } from "../../engine/opening/open-loop.ts";
import type { PreflightLook } from "../../engine/opening/preflight.ts";
import { checksToLookAt, preflight, lookLater } from "../../engine/opening/preflight.ts";
import { reportWords } from "../../verify/reports/report-words.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Criterion, CriterionStatus } from "../../core/criterion.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { changingAdvice } from "./changing-advice.ts";
import { criterionLine, nameWidthOf } from "../../views/terminal/criterion-line.ts";
import type { Context } from "./context.ts";

const WIDEST_NAME = 48;

/**
 * Runs the checks before the loop is opened and prints each result as a line on stderr. With JSON output, the results are in the
 * JSON, so this only prints what they mean.
 */
export async function lookFirst(
  { machine, terminal }: Pick<Context, "machine" | "terminal">,
  asked: Pick<AskedLoop, "spec" | "criteria" | "protects" | "mustNots" | "work">,
  { json }: { readonly json?: boolean },
): Promise<Pick<AskedLoop, "looked" | "guarded">> {
  const checks = checksToLookAt(asked.criteria);
  const withChecks = asked.criteria.filter(({ check }) => check !== null);
  if (withChecks.length === 0) return {};
  const width = nameWidthOf(withChecks, WIDEST_NAME);
  const complain = (text: string): void => {
    if (json !== true) terminal.complain(text);
  };
  const tell = (name: string, status: CriterionStatus, words: string): void =>
    complain(`  ${criterionLine(terminal, { name, status }, width, words)}`);
  complain("loop: Checks before any work:");
  const looks: PreflightLook[] = [];
  const workplace = workplaceFor(machine, asked);
  const guarded = await guardedFiles(workplace.root, asked);
  const looked = await preflight(machine, workplace, asked.criteria, {
    spec: asked.spec,
    protects: asked.protects,
    tell: (look) => {
      looks.push(look);
      tell(look.name, statusOf(look), lookWords(look));
    },
  });
  for (const { name, check } of withChecks)
    if (check?.use === "once") tell(name, "unverified", "has side effects, so it runs once at the end");
  const notices = [...noticesOf(looks, checks.length), ...changingNotices(looks, workplace.root)];
  for (const notice of notices) terminal.complain(`loop: ${notice}`);
  return { looked, guarded };
}

/** The same for a check that joins an open loop. */
export async function lookAtLater(
  { machine, terminal }: Pick<Context, "machine" | "terminal">,
  locked: LockedLoop,
  criterion: Pick<Criterion, "name" | "check">,
): ReturnType<typeof lookLater> {
  const width = nameWidthOf([criterion], WIDEST_NAME);
  const looks: PreflightLook[] = [];
  const looked = await lookLater(machine, locked, criterion, (look) => {
    looks.push(look);
    const named = { name: look.name, status: statusOf(look) };
    terminal.complain(`  ${criterionLine(terminal, named, width, lookWords(look))}`);
  });
  for (const notice of changingNotices(looks, locked.workplace.root)) terminal.complain(`loop: ${notice}`);
  return looked;
}

function statusOf({ evidence, cannotRun }: PreflightLook): CriterionStatus {
  if (cannotRun !== null) return "unverified";
  return evidence.passed ? "met" : "unmet";
}

function lookWords({ evidence, report, cannotRun }: PreflightLook): string {
  if (cannotRun !== null) return `cannot run: ${cannotRun}`;
  const tests = report === null ? [] : [reportWords(report)];
  return [evidence.passed ? "already passes" : evidence.ending, ...tests].join(" · ");
}

/** What the results mean for the loop. */
function noticesOf(looks: readonly PreflightLook[], checks: number): readonly string[] {
  const green = looks.filter(({ evidence }) => evidence.passed);
  return [
    ...green.map(
      ({ name }) =>
        `"${oneLine(name, 60)}" already passes before any work, so it cannot show that the work is done unless the work changes what it tests.`,
    ),
    ...(green.length > 0 && green.length === checks
      ? ["No check fails yet. Add one that fails now and passes when the work is done: -c 'NAME=COMMAND'"]
      : []),
  ];
}

function changingNotices(looks: readonly PreflightLook[], root: string): readonly string[] {
  const advice = changingAdvice(root);
  return looks
    .filter(({ changedTree }) => changedTree)
    .map(({ name }) => `"${oneLine(name, 60)}" changes the project's files when it runs; ${advice}`);
}
