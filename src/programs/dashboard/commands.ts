import { RESTORE } from "../../views/needs.ts";
import type { Action } from "./actions.ts";

/** What the commands are about. */
export interface Target {
  readonly id: string;
  /** What is approved, if not the loop itself. */
  readonly approved?: string;
  /** A run drove it before; others belong to a session, or to nobody yet. */
  readonly wasRun: boolean;
  readonly isPaused: boolean;
}

/** The program's own commands for it, word for word as a person would type them. */
export function commandsOf(action: Action, target: Target): readonly (readonly string[])[] {
  const { id, approved = id } = target;
  const resume = ["continue", "--loop", id];
  switch (action.type) {
    case "continue":
      return resumed(action, target);
    case "approve":
      return [["approve", "--loop", approved, "--yes"], ...(action.continues ? [resume] : [])];
    case "refuse":
      return approved === id ? [[...resume, ...saying(RESTORE)]] : [["cancel", "--loop", approved], resume];
    case "undo":
      return [
        ["undo", String(action.iteration), "--loop", id, "--yes"],
        ...(action.continues ? [resume] : []),
      ];
    case "retry":
      return [["task", "retry", action.task, "--loop", id, ...saying(action.say)], resume];
    case "trust":
      return [["trust", id, "--yes"]];
    case "pause":
      return [["pause", "--loop", id]];
    case "cancel":
      return [["cancel", "--loop", id]];
    case "resolve":
      return [["review", "resolve", action.finding, action.decision, "--loop", id]];
  }
}

function saying(text: string): readonly string[] {
  return text.trim() === "" ? [] : [`--say=${text}`];
}

/** `continue` keeps to the agent that ran before; without one, a run is started. */
function resumed(
  { budget, iterations, say = "", agent }: Extract<Action, { type: "continue" }>,
  { id, wasRun, isPaused }: Target,
): readonly (readonly string[])[] {
  const named = agent === undefined ? [] : [`--agent=${agent}`];
  const added = [
    ...(budget === undefined ? [] : [`--budget=${budget}`]),
    ...(iterations === undefined ? [] : [`--iterations=${iterations}`]),
    ...saying(say),
  ];
  if (agent === undefined || wasRun) return [["continue", "--loop", id, ...added, ...named]];
  const first = isPaused && added.length > 0 ? [["continue", "--loop", id, ...added]] : [];
  return [...first, ["run", "--loop", id, ...named]];
}

/** What is approved: a plan waits for the approval of what an attempt changed. */
export function approvedIn(commands: readonly string[]): string | null {
  return commands.map((each) => /^loop approve --loop (\S+)$/.exec(each)?.[1]).find(Boolean) ?? null;
}
