import type { Action } from "../../actions.ts";
import { approvedIn, commandsOf } from "../../commands.ts";
import type { Asked, Subject } from "./subject.ts";

/** What is asked right now. */
export interface OpenDialog {
  readonly subject: Subject;
  readonly what: Exclude<Asked, "copy">;
  readonly iteration: number | null;
  readonly finding: string | null;
  /** Which task of a plan is tried again. */
  readonly task: string | null;
}

/** What somebody typed and chose, as it is in the fields. */
export interface Fields {
  readonly budget: string;
  readonly iterations: string;
  readonly say: string;
  /** Empty: the same as before. */
  readonly agent: string;
}

/** What a button asks the server for. */
export function actionOf(
  { what, iteration, finding, task }: OpenDialog,
  { budget, iterations, say, agent }: Fields,
  continues: boolean,
): Action | null {
  switch (what) {
    case "approve":
      return { type: "approve", continues };
    case "undo":
      return iteration === null ? null : { type: "undo", iteration, continues };
    case "continue":
      return {
        type: "continue",
        ...(Number(budget) > 0 ? { budget: Number(budget) } : {}),
        ...(Number(iterations) > 0 ? { iterations: Number(iterations) } : {}),
        ...(say.trim() === "" ? {} : { say }),
        ...(agent === "" ? {} : { agent }),
      };
    case "retry":
      return task === null ? null : { type: "retry", task, say };
    case "resolve":
      return finding === null ? null : { type: "resolve", finding, decision: continues ? "fix" : "accept" };
    case "pause":
    case "cancel":
    case "refuse":
    case "trust":
      return { type: what };
  }
}

/** What the server would run for it, as a person would type it. */
export function commandLines(open: OpenDialog, fields: Fields, continues: boolean): readonly string[] {
  const action = actionOf(open, fields, continues);
  if (action === null) return [];
  const { id, needs, lastAgent, phase } = open.subject;
  const approved = approvedIn(needs?.commands ?? []) ?? id;
  return commandsOf(action, {
    id,
    approved,
    wasRun: lastAgent !== null,
    isPaused: phase === "paused",
  }).map((words) => ["loop", ...words].map(quoted).join(" "));
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const [, flag = "", text = word] = /^(--[a-z-]+=)([^]*)$/.exec(word) ?? [];
  return `${flag}'${text.replaceAll("'", "'\\''")}'`;
}
