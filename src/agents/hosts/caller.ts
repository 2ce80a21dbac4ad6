import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import { AGENTS_WITHOUT_HOOKS, HOSTS } from "./hosts.ts";

/** Who runs the program: a person in a terminal, or an agent in one of its sessions. */
export type Caller =
  | { readonly kind: "person" }
  | { readonly kind: "agent"; readonly host: string; readonly session: SessionId | null };

const AGENTS = [...HOSTS, ...AGENTS_WITHOUT_HOOKS];

const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*)$/;

/** The agent whose program a command runs; null: none that is known. */
export function agentProgram([first = "", second = ""]: readonly string[]): string | null {
  const [program = ""] = namesIn(first).slice(-1);
  const isInterpreted = INTERPRETER.test(program);
  const folders = isInterpreted ? namesIn(second) : [];
  const name = isInterpreted ? folders.at(-1) : program;
  const found = AGENTS.find(
    ({ programs, packages }) =>
      programs.some((each) => each === name) || packages.some((each) => folders.includes(each)),
  );
  return found?.id ?? null;
}

function namesIn(path: string): readonly string[] {
  return path.split("/").map((name) => name.replace(/\.(?:[cm]?js|exe)$/, ""));
}

/** Variables with which our own programs tell each other whose session it is, where its host doesn't. */
export const OWN_MARKS = { host: "LOOP_HOST", session: "LOOP_HOST_SESSION" } as const;

export function callerOf(env: NodeJS.ProcessEnv): Caller {
  // An agent that we drive ourselves: its session is the run.
  const session = parseSessionId(env["LOOP_SESSION"]);
  if (session !== null) return { kind: "agent", host: "loop", session };
  return markedCaller(env) ?? checkOf(env);
}

/** An environment that acts for a session, and for no other one that it names. */
export function actingFor(env: NodeJS.ProcessEnv, host: string, session: SessionId): NodeJS.ProcessEnv {
  const others = new Set(AGENTS.flatMap(({ marks }) => marks.flatMap((each) => each.session ?? [])));
  const kept = Object.entries(env).filter(([name]) => !others.has(name));
  return { ...Object.fromEntries(kept), [OWN_MARKS.host]: host, [OWN_MARKS.session]: session };
}

/**
 * A mark with the session's id counts before one without: of agents within agents, one may have left its mark for the others. So may
 * a client that pretends to be another, and it is Claude Code, the first of them, that is pretended.
 */
function markedCaller(env: NodeJS.ProcessEnv): Caller | null {
  const marked = AGENTS.flatMap(({ id, marks }): readonly Caller[] => {
    const found = marks.find(({ mark }) => !["", "0", undefined].includes(env[mark]));
    if (found === undefined) return [];
    const session = found.session === undefined ? null : parseSessionId(env[found.session]);
    return [{ kind: "agent", host: id, session }];
  });
  const named = AGENTS.find(({ id }) => id === env[OWN_MARKS.host]);
  const own = parseSessionId(env[OWN_MARKS.session]);
  const given: readonly Caller[] =
    named === undefined || own === null ? [] : [{ kind: "agent", host: named.id, session: own }];
  const all = [...marked, ...given];
  return all.find((caller) => caller.kind === "agent" && caller.session !== null) ?? all.at(-1) ?? null;
}

function checkOf(env: NodeJS.ProcessEnv): Caller {
  // Anything a check starts isn't a person either: an agent may have written it.
  const [run] = (env["LOOP_RUN_ID"] ?? "").split(" ");
  return run === undefined || run === ""
    ? { kind: "person" }
    : { kind: "agent", host: "loop", session: parseSessionId(run) };
}
