import { typedAs } from "../../agents/hosts/typed-command.ts";
import { findHost } from "../../agents/hosts/hosts.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { findPermit } from "../../storage/home/session-files.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { idleLoops } from "../lifecycle/status.ts";
import { standHere } from "./resolve-opening.ts";

const GIVEN = /--(?:task-list|iterations|budget)\b/;
const DECIDED = /--(?:start-fresh|loop|beside)\b/;

/**
 * What the agent of a session asks before it opens a loop: once, only a user who is there, and nothing that they have said already. What
 * they choose, they see again in the command that they are asked about.
 */
export async function startQuestions(machine: Machine): Promise<readonly string[]> {
  const caller = callerNow(machine);
  if (caller.kind !== "agent" || caller.session === null) return [];
  const host = findHost(caller.host);
  if (host?.isAttended(machine.env) !== true) return [];
  const typed = findPermit(machine.home, caller.session, machine.now())?.args ?? "";
  const idle = DECIDED.test(typed) ? [] : await idleLoops(machine, caller.session);
  return [
    ...idle.slice(0, 1).map((loop) => offer(loop, idle.length - 1, host)),
    ...(GIVEN.test(typed) || isSetHere(machine) ? [] : [SETTINGS]),
  ];
}

const SETTINGS =
  "Before you start, one AskUserQuestion with three questions, the usual first: task list (this session's, --task-list=new, none: --task-list=session), iterations (10, 25, 50), budget (25, 10, 50 dollars). Pass on what isn't usual.";

/** Only the user resumes or cancels a loop, so what they choose they type. */
function offer({ id, live: { loop } }: KnownLoop, more: number, host: Host): string {
  const [resume, start] = ["continue", "start"].map((command) => typedAs(host, command));
  const where = loop.phase === "paused" ? `paused: ${loop.reason}` : "nobody works on it";
  const others = more === 0 ? "" : ` ${more} more: loop status.`;
  return `Unfinished here: ${id} (${where}): ${oneLine(loop.frames[0].spec, 120)}.${others} First one AskUserQuestion: resume it (they type ${resume} --loop=${id}), see its status (loop status --loop ${id}, then ask again), start fresh (they type ${start} --start-fresh --loop=${id} SPEC), or keep both.`;
}

function isSetHere(machine: Machine): boolean {
  const { env } = machine;
  const names = ["LOOP_MAX_ITERATIONS", "LOOP_BUDGET", "CLAUDE_CODE_TASK_LIST_ID"];
  const { iterations, budget } = standHere(machine, {}).used.config?.limits ?? {};
  const isInEnvironment = names.some((name) => (env[name] ?? "").trim() !== "");
  return isInEnvironment || iterations !== undefined || budget !== undefined;
}
