import { findHost } from "../../agents/hosts/hosts.ts";
import { findPermit } from "../../storage/home/session-files.ts";
import { callerNow } from "../../storage/loops/choose-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { standHere } from "./resolve-opening.ts";

const GIVEN = /--(?:task-list|iterations|budget)\b/;

/**
 * What the agent of a session asks before it opens a loop: once, and only a user who is there and hasn't said any of it. What they
 * choose, they see again in the command that they are asked about. Null: nothing.
 */
export function startQuestion(machine: Machine): string | null {
  const caller = callerNow(machine);
  if (caller.kind !== "agent" || caller.session === null) return null;
  const isAttended = findHost(caller.host)?.isAttended(machine.env) ?? false;
  const typed = findPermit(machine.home, caller.session, machine.now())?.args ?? "";
  if (!isAttended || GIVEN.test(typed) || isSetHere(machine)) return null;
  return QUESTION;
}

const QUESTION =
  "Before you start, one AskUserQuestion with three questions, the usual first: task list (this session's, --task-list=new, none: --task-list=session), iterations (10, 25, 50), budget (25, 10, 50 dollars). Pass on what isn't usual.";

function isSetHere(machine: Machine): boolean {
  const { env } = machine;
  const names = ["LOOP_MAX_ITERATIONS", "LOOP_BUDGET", "CLAUDE_CODE_TASK_LIST_ID"];
  const { iterations, budget } = standHere(machine, {}).used.config?.limits ?? {};
  const isInEnvironment = names.some((name) => (env[name] ?? "").trim() !== "");
  return isInEnvironment || iterations !== undefined || budget !== undefined;
}
