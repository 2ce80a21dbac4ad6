import type { LoopId, SessionId } from "../../core/loop/id.ts";
import { isBoundTo, type Loop } from "../../core/loop/loop.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import { findHost } from "../../agents/hosts/hosts.ts";
import { typedAs } from "../../agents/hosts/typed-command.ts";
import { takePermit, findStart, type Permit } from "../../storage/home/session-files.ts";
import { livingDriver, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { statSync } from "node:fs";
import { isStillAlive } from "../../system/process/process-facts.ts";
import { sessionPath } from "../../storage/home/state-home.ts";
import { ageText } from "../../system/text/quantities.ts";

/**
 * Only a person may loosen a loop. In an agent's session this needs a command the user typed, with the same flags, and
 * works once. Otherwise it is refused, and the journal records the attempt. A guard rail, not a sandbox.
 * Returns what the user typed after that command; null: nobody typed it in a session.
 */
export async function expectPerson(
  machine: Machine,
  command: string,
  chosen: KnownLoop | null,
  flags: readonly string[] = [],
): Promise<string | null> {
  const caller = callerNow(machine);
  if (caller.kind === "person") return null;
  const isTyped = (permit: Permit): boolean =>
    permit.command === command &&
    flags.every((flag) => typedFlags(permit.args).includes(flag)) &&
    (chosen === null || mayTouch(machine, command, caller.session, chosen, permit));
  const permit =
    caller.session === null ? null : takePermit(machine.home, caller.session, machine.now(), isTyped);
  if (permit !== null) return permit.args;
  const what = ["loop", command, ...flags].join(" ");
  if (chosen !== null) {
    await chosen.live.record(() => [{ type: "loosening.refused", what }]);
  }
  const other = chosen === null ? null : otherSessionOf(machine, chosen.live.loop, caller.session);
  if (isForOthers(command) && chosen !== null && other?.isAlive === true)
    throw new UserError(
      `The loop ${chosen.id} is active in another session (${other.text}). ${namingIt(command, chosen.id, caller.host)}`,
    );
  throw onlyForUser(what, whereToRun(command, flags, caller.host));
}

export function onlyForUser(what: string, where = OWN_TERMINAL): UserError {
  return new UserError(
    `\`${what}\` may only be run by the user, ${where}; if you need a person, say so with: loop blocked REASON`,
  );
}

const OWN_TERMINAL = "in their own terminal";

/** Some commands can also be typed in a host's session. */
function whereToRun(command: string, flags: readonly string[], host: string): string {
  const prefix = findHost(host)?.commandPrefix ?? null;
  const isTypable = prefix !== null && ["cancel", "pause", "continue", "start"].includes(command);
  return `${OWN_TERMINAL}${isTypable ? `, or typed in this session as ${[`${prefix}${command}`, ...flags].join(" ")}` : ""}`;
}

/** Commands for the loop of a session that may be gone. */
function isForOthers(command: string): boolean {
  return command === "continue" || command === "start";
}

function namingIt(command: string, id: LoopId, host: string): string {
  const typed = typedAs({ commandPrefix: findHost(host)?.commandPrefix ?? null }, command);
  return command === "continue"
    ? `To take it over, the user types: ${typed} --loop=${id}`
    : `To cancel it and start fresh, the user types: ${typed} --start-fresh --loop=${id} SPEC`;
}

/** A command typed in a session is about its own loop, or one nobody is working on, unless it names another. */
function mayTouch(
  machine: Machine,
  command: string,
  session: SessionId | null,
  { id, live }: KnownLoop,
  permit: Permit,
): boolean {
  const { loop } = live;
  if (isBoundTo(loop, session) || typedFlags(permit.args).includes(`--loop=${id}`)) return true;
  return isForOthers(command) && otherSessionOf(machine, loop, session)?.isAlive !== true;
}

const FLAG = /(?<=^|\s)(--[a-z][a-z-]*)(?:=("[^"]*"|'[^']*'|\S+)|\s+("[^"]*"|'[^']*'|[^-\s]\S*))?/g;

/** `--budget 25`, `--budget=25` and a quoted value are all the same flag. What follows `--here` may be its value, or the spec. */
function typedFlags(args: string): readonly string[] {
  return [...args.matchAll(FLAG)].flatMap(([, flag = "", joined, apart]) => {
    const value = joined ?? apart;
    const bare = joined === undefined ? [flag] : [];
    return value === undefined ? bare : [...bare, `${flag}=${value.replace(/^(["'])(.*)\1$/s, "$2")}`];
  });
}

const OWN_FLAG =
  /(?<=^|\s)--(?:budget|iterations|max-tokens|max-minutes|deliver|loop|session)(?:=|\s+)(?:"[^"]*"|'[^']*'|\S+)/g;

/** What the user typed for the agent after the flags of `continue`; null: nothing. */
export function typedWords(args: string): string | null {
  const words = args
    .replace(OWN_FLAG, " ")
    .trim()
    .replace(/^--say(?:=|\s+)/, "")
    .replace(/^(["'])(.*)\1$/s, "$2")
    .trim();
  return words === "" ? null : words;
}

/** A session that works on a loop, and when it was last active. */
interface OtherSession {
  readonly session: SessionId;
  readonly isAlive: boolean;
  /** `session 8c7b1f0e, last active 3 min ago`. */
  readonly text: string;
}

/** A session silent for longer counts as gone; then anyone may continue its loop. */
const ALIVE_MS = 10 * 60_000;

/** The other session that an active loop is bound to; null if there is none. */
export function otherSessionOf(
  { home, now }: Pick<Machine, "home" | "now">,
  loop: Loop,
  own: SessionId | null,
): OtherSession | null {
  const session = loop.phase === "active" ? (loop.binding?.session ?? null) : null;
  if (session === null || session === own) return null;
  const heardAt = Math.max(loop.updatedAt, ...heardOf(home, session));
  const driver = livingDriver(loop);
  return {
    session,
    isAlive:
      driver !== null ||
      (loop.driven?.run !== session && !isOver(home, session) && now() - heardAt < ALIVE_MS),
    text: `session ${session.slice(0, 12)}, last active ${ageText(now() - heardAt)}`,
  };
}

/** Its user left it, or its client is gone. */
function isOver(home: string, session: SessionId): boolean {
  const start = findStart(home, session);
  return start?.hasEnded === true || (start?.client !== undefined && !isStillAlive(start.client));
}

/** Its transcript grows with every answer, and its tools leave a trace. */
function heardOf(home: string, session: SessionId): readonly number[] {
  const transcript = findStart(home, session)?.transcriptPath ?? null;
  return [sessionPath(home, session, "activity"), ...(transcript === null ? [] : [transcript])].map(
    changedAt,
  );
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
