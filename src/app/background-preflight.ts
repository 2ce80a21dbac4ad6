import type { Examination, NamedCheck } from "../checks/run-checks.ts";
import type { LoopEvent } from "../core/event.ts";
import { topFrame } from "../core/loop.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { UserError } from "../loops/user-error.ts";
import { openingsOf } from "../openings/of-loop.ts";
import { noteStart } from "../openings/take-opening.ts";
import { issuePreflightTicket, takePreflightTicket } from "../store/preflight-ticket.ts";
import { checkSiteOf } from "./check-site-of.ts";
import { longestRun } from "./check-loop.ts";
import type { PreflightLook } from "./preflight.ts";
import { checksToLookAt, isMissing, lookBeforeWork, whatCannotRun } from "./preflight.ts";

/** Looks at the checks of a loop that was just opened, in a process of its own: whoever opened it does not wait. */
export async function startPreflight(machine: Machine, locked: LockedLoop, cli: string): Promise<void> {
  const { id, live, workplace } = locked;
  const checks = checksToLookAt(topFrame(live.loop).criteria);
  const tree = live.loop.frames.length === 1 ? live.loop.start.tree : await treeOf(machine, workplace.root);
  if (checks.length === 0 || tree === null) return;
  const ticket = issuePreflightTicket(whose(machine, locked), {
    tree,
    expiresAt: machine.now() + longestRun(checks),
  });
  const args = [cli, "preflight", "--loop", id, ticket];
  machine.processes.startDetached(args, { cwd: live.project.root, env: machine.env });
}

/**
 * In the process that was started. What the checks showed is recorded only if the files are those of the opening before and after:
 * what the agent has changed meanwhile is not how things stood.
 */
export async function preflightForTicket(machine: Machine, locked: LockedLoop, id: string): Promise<void> {
  const ticket = takePreflightTicket(whose(machine, locked), id, machine.now());
  if (ticket === null)
    throw new UserError("Nobody asked for this preflight; run the checks with: loop check");
  const { live, workplace } = locked;
  const isAsOpened = async (): Promise<boolean> => (await treeOf(machine, workplace.root)) === ticket.tree;
  if (!(await isAsOpened())) return;
  const checks = checksToLookAt(topFrame(live.loop).criteria);
  const missing: PreflightLook[] = [];
  const looked = await lookBeforeWork(checkSiteOf(machine, locked), checks, (look) => {
    if (isMissing(look)) missing.push(look);
  });
  if (!(await isAsOpened())) return;
  noteStart(openingsOf(machine, locked), looked, { isAgents: true });
  await live.record((loop) => {
    if (loop.phase !== "active") return [];
    const shown = shownOf(topFrame(loop).criteria, checks, looked);
    return missing.length === 0 ? shown : [...shown, blockedBy(missing)];
  });
}

/** Of those criteria that still have the very check that ran. */
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

function blockedBy(missing: readonly PreflightLook[]): LoopEvent {
  const detail = `${whatCannotRun(missing)}; give it another command with: loop criteria check NAME --check COMMAND`;
  return { type: "loop.paused", reason: "blocked", detail, by: "machine" };
}

function whose({ home }: Machine, { id, live }: LockedLoop): Parameters<typeof issuePreflightTicket>[0] {
  return { home, root: live.project.root, loop: id };
}

async function treeOf({ git }: Machine, root: string): Promise<string | null> {
  return (await git.readTree(root))?.digest ?? null;
}
