import type { Examination, Look, NamedCheck } from "../../verify/checks/run-checks.ts";
import { lookAtChecks } from "../../verify/checks/run-checks.ts";
import type { LoopEvent } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { openingsOf } from "../../verify/baseline/of-loop.ts";
import { noteStart } from "../../verify/baseline/take-opening.ts";
import { issuePreflightTicket, takePreflightTicket } from "../../storage/home/preflight-ticket.ts";
import { checkSiteOf } from "./checks-of-loop.ts";
import { longestRun } from "../lifecycle/check-loop.ts";
import { isAboutTests } from "../../verify/checks/cannot-run.ts";
import { checksToLookAt, isMissing, whatCannotRun } from "./preflight.ts";

/**
 * Runs the preflight of a loop that was just opened, or of a criterion that was just added, in its own process, so the caller
 * doesn't wait.
 */
export async function startPreflight(
  machine: Machine,
  locked: LockedLoop,
  cli: string,
  name: string | null = null,
): Promise<void> {
  const { id, live, workplace } = locked;
  const checks = checksOf(live.loop, name);
  const isOpening = name === null && live.loop.frames.length === 1;
  const tree = isOpening ? live.loop.start.tree : await treeOf(machine, workplace.root);
  if (checks.length === 0 || tree === null) return;
  const ticket = issuePreflightTicket(whose(machine, locked), {
    tree,
    expiresAt: machine.now() + longestRun(checks),
    name,
  });
  const args = [cli, "preflight", "--loop", id, ticket];
  machine.processes.startDetached(args, { cwd: live.project.root, env: machine.env });
}

/**
 * Runs in the started process. Records the results only if the files match the opening before and after: with the agent's
 * changes, they wouldn't show the state before the work.
 */
export async function preflightForTicket(machine: Machine, locked: LockedLoop, id: string): Promise<void> {
  const ticket = takePreflightTicket(whose(machine, locked), id, machine.now());
  if (ticket === null) throw new UserError("No preflight is pending; run the checks with: loop check");
  const { live, workplace } = locked;
  const isAsOpened = async (): Promise<boolean> => (await treeOf(machine, workplace.root)) === ticket.tree;
  if (!(await isAsOpened())) return;
  const checks = checksOf(live.loop, ticket.name);
  const missing: Look[] = [];
  const looked = await lookAtChecks(checkSiteOf(machine, locked), checks, (look) => {
    // Tests that aren't there may be the next thing that the agent writes.
    if (isMissing(look) && !isAboutTests(look.cannotRun)) missing.push(look);
  });
  if (!(await isAsOpened())) return;
  noteStart(openingsOf(machine, locked), looked, { isAgents: true });
  await live.record((loop) => {
    if (loop.phase !== "active") return [];
    const shown = shownOf(topFrame(loop).criteria, checks, looked);
    return missing.length === 0 ? shown : [...shown, blockedBy(missing)];
  });
}

function checksOf(loop: Loop, name: string | null): readonly NamedCheck[] {
  const { criteria } = topFrame(loop);
  return checksToLookAt(criteria.filter((each) => name === null || each.name === name));
}

/** For the criteria that still have exactly the check that ran. */
function shownOf(
  criteria: ReturnType<typeof topFrame>["criteria"],
  checks: readonly NamedCheck[],
  { evidence }: Pick<Examination, "evidence">,
): readonly LoopEvent[] {
  return criteria.flatMap(({ name, check }): readonly LoopEvent[] => {
    const ran = checks.find((each) => each.name === name);
    const shown = evidence.get(name);
    if (shown === undefined || JSON.stringify(ran?.check) !== JSON.stringify(check)) return [];
    return [{ type: "check.ran", name, evidence: shown, atStart: true }];
  });
}

function blockedBy(missing: readonly Look[]): LoopEvent {
  const detail = `${whatCannotRun(missing)}; give it another command with: loop criteria check NAME --check COMMAND`;
  return { type: "loop.paused", reason: "blocked", detail, by: "machine" };
}

function whose({ home }: Machine, { id, live }: LockedLoop): Parameters<typeof issuePreflightTicket>[0] {
  return { home, root: live.project.root, loop: id };
}

async function treeOf({ git }: Machine, root: string): Promise<string | null> {
  return (await git.readTree(root))?.digest ?? null;
}
