import type { BoardRow } from "../../../../views/board.ts";
import type { StatusView } from "../../../../views/status.ts";
import type { Action } from "../../actions.ts";
import { counted, dollars } from "../shown/words.ts";

/** What somebody may be asked about a loop, in a row or in its own view. */
export type Subject = Pick<
  BoardRow,
  | "key"
  | "project"
  | "root"
  | "id"
  | "seq"
  | "needs"
  | "cost"
  | "costUsd"
  | "budgetUsd"
  | "iterationLimit"
  | "phase"
  | "lastAgent"
>;

export function subjectOf(key: string, view: StatusView): Subject {
  const { root, id, seq, needs, cost, costUsd, budgetUsd, iterationLimit, phase } = view;
  const project = (root ?? "").split("/").at(-1) ?? "";
  const lastAgent = view.driver?.agent ?? null;
  const money = { cost, costUsd, budgetUsd };
  return { key, project, root: root ?? "", id, seq, needs, iterationLimit, phase, lastAgent, ...money };
}

export type Asked = Action["type"] | "copy";

/** Where words for the agent help most. */
const RESUMES: { readonly [kind: string]: string } = { blocked: "Answer", breaker: "Continue with a hint" };

/** The one action that helps most, in the words of its button. Each opens a dialog that says what will run. */
export function mainAction({
  needs,
}: Pick<Subject, "needs">): { readonly what: Asked; readonly label: string } | null {
  const [first] = needs?.commands ?? [];
  if (needs === null || first === undefined) return null;
  const [, undone] = /^loop undo (\d+)/.exec(first) ?? [];
  if (undone !== undefined) return { what: "undo", label: `Undo iteration ${undone}` };
  if (first.startsWith("loop approve")) return { what: "approve", label: "Approve the test" };
  if (first.startsWith("loop trust")) return { what: "trust", label: "Trust its commands" };
  if (first.startsWith("loop task retry")) return { what: "retry", label: "Try it again" };
  if (first.startsWith("loop run")) return { what: "continue", label: "Start an agent" };
  if (needs.kind === "commit") return { what: "continue", label: "Commit it" };
  if (first.startsWith("loop continue")) {
    const [, usd] = /--budget=([\d.]+)/.exec(first) ?? [];
    const [, more] = /--iterations=(\d+)/.exec(first) ?? [];
    if (/--(?:allow|permission-mode|max-)/.test(first))
      return { what: "copy", label: copyLabel(needs.commands) };
    if (usd !== undefined) return { what: "continue", label: `Add ${dollars(Number(usd))}` };
    if (more !== undefined) return { what: "continue", label: `Add ${counted(Number(more), "iteration")}` };
    return { what: "continue", label: RESUMES[needs.kind] ?? "Continue" };
  }
  return { what: "copy", label: copyLabel(needs.commands) };
}

export function copyLabel(commands: readonly string[]): string {
  const [first = ""] = commands;
  return commands.length === 1
    ? `Copy “${first.split(" ").slice(0, 2).join(" ")}”`
    : `Copy ${commands.length} commands`;
}

/** What else can be done; the main action isn't repeated. */
export function otherActions({
  phase,
  needs,
}: Pick<Subject, "phase" | "needs">): readonly { readonly what: Asked; readonly label: string }[] {
  const main = mainAction({ needs })?.what;
  const all: readonly { readonly what: Asked; readonly label: string; readonly isFor: boolean }[] = [
    { what: "refuse", label: "Have the test restored", isFor: needs?.refusing !== undefined },
    {
      what: "continue",
      // Beside a question, that is what it means.
      label: needs?.kind === "approval" ? "Continue without deciding" : "Continue",
      isFor: phase === "paused" || needs?.kind === "died",
    },
    { what: "pause", label: "Pause", isFor: phase === "active" && needs?.kind !== "died" },
    { what: "cancel", label: "Cancel", isFor: phase === "active" || phase === "paused" },
    { what: "copy", label: copyLabel(needs?.commands ?? []), isFor: (needs?.commands.length ?? 0) > 0 },
  ];
  return all.filter(({ what, isFor }) => isFor && what !== main);
}
