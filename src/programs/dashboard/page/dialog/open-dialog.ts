import { signal } from "@preact/signals";
import type { StatusView } from "../../../../views/status.ts";
import type { Action } from "../../actions.ts";
import type { Decision } from "../../decision.ts";
import { RequestError, ask, detail } from "../data/state.ts";
import { subjectOf, type Asked, type Subject } from "./subject.ts";

/** What is asked right now. */
export interface OpenDialog {
  readonly subject: Subject;
  readonly what: Exclude<Asked, "copy">;
  readonly iteration: number | null;
  readonly finding: string | null;
}

export const dialog = signal<OpenDialog | null>(null);
export const decision = signal<Decision | null>(null);
export const failure = signal<string | null>(null);
export const isBusy = signal(false);
export const budget = signal("");
export const iterations = signal("");
export const words = signal("");
let before: Element | null = null;

export function start(
  what: Asked,
  subject: Subject,
  given: { readonly iteration?: number; readonly finding?: string } = {},
): void {
  if (what === "copy") {
    void navigator.clipboard?.writeText((subject.needs?.commands ?? []).join("\n"));
    return;
  }
  before = document.activeElement;
  const [, undone] = /^loop undo (\d+)/.exec(subject.needs?.commands[0] ?? "") ?? [];
  const iteration = given.iteration ?? (undone === undefined ? null : Number(undone));
  const resume = subject.needs?.commands.find((each) => each.startsWith("loop continue")) ?? "";
  budget.value = /--budget=([\d.]+)/.exec(resume)?.[1] ?? "";
  iterations.value = /--iterations=(\d+)/.exec(resume)?.[1] ?? "";
  words.value = "";
  failure.value = null;
  decision.value = null;
  dialog.value = { subject, what, iteration, finding: given.finding ?? null };
  void loadDecision();
}

async function loadDecision(): Promise<void> {
  const open = dialog.value;
  if (open === null || !["approve", "undo", "trust"].includes(open.what)) return;
  const { subject, what, iteration } = open;
  const [, loop] = /^loop approve --loop (\S+)$/.exec(subject.needs?.commands[0] ?? "") ?? [];
  const query = new URLSearchParams({
    of: what,
    ...(iteration === null ? {} : { iteration: String(iteration) }),
    ...(loop === undefined ? {} : { loop }),
  });
  try {
    const found = await ask<Decision>(`/api/loops/${subject.key}/decision?${query}`);
    if (dialog.value === open) decision.value = found;
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
}

export function close(): void {
  dialog.value = null;
  if (before instanceof HTMLElement) before.focus();
}

function actionOf({ what, iteration, finding }: OpenDialog, continues: boolean): Action | null {
  switch (what) {
    case "approve":
      return { type: "approve", continues };
    case "undo":
      return iteration === null ? null : { type: "undo", iteration, continues };
    case "continue":
      return {
        type: "continue",
        ...(Number(budget.value) > 0 ? { budget: Number(budget.value) } : {}),
        ...(Number(iterations.value) > 0 ? { iterations: Number(iterations.value) } : {}),
        ...(words.value.trim() === "" ? {} : { say: words.value }),
      };
    case "resolve":
      return finding === null ? null : { type: "resolve", finding, decision: continues ? "fix" : "accept" };
    case "pause":
    case "cancel":
    case "trust":
      return { type: what };
  }
}

/** As a person would type them. */
export function commandLines(open: OpenDialog, continues: boolean): readonly string[] {
  const { subject, what, iteration, finding } = open;
  const named = `--loop ${subject.id}`;
  const resume = continues ? [`loop continue ${named}`] : [];
  switch (what) {
    case "approve": {
      const approve = subject.needs?.commands.find((each) => each.startsWith("loop approve"));
      return [`${approve ?? `loop approve ${named}`} --yes`, ...resume];
    }
    case "undo":
      return [`loop undo ${iteration ?? ""} ${named} --yes`, ...resume];
    case "trust":
      return [`loop trust ${subject.id} --yes`];
    case "continue": {
      const said = words.value.trim();
      return [
        [
          `loop continue ${named}`,
          ...(Number(budget.value) > 0 ? [`--budget=${Number(budget.value)}`] : []),
          ...(Number(iterations.value) > 0 ? [`--iterations=${Number(iterations.value)}`] : []),
          ...(said === "" ? [] : [`--say='${said.replaceAll("'", "'\\''")}'`]),
        ].join(" "),
      ];
    }
    case "resolve":
      return [`loop review resolve ${finding ?? ""} ${continues ? "fix" : "accept"} ${named}`];
    case "pause":
    case "cancel":
      return [`loop ${what} ${named}`];
  }
}

export async function press(continues: boolean): Promise<void> {
  const open = dialog.value;
  const action = open === null ? null : actionOf(open, continues);
  if (open === null || action === null || isBusy.value) return;
  isBusy.value = true;
  failure.value = null;
  try {
    const { subject } = open;
    const body = { seq: subject.seq, decision: decision.value?.digest ?? null, action };
    const { view } = await ask<{ readonly view: StatusView }>(`/api/loops/${subject.key}/act`, body);
    if (detail.value?.key === subject.key) detail.value = { key: subject.key, view };
    close();
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
    // Drawn again with what is so now.
    if (error instanceof RequestError && error.status === 409 && error.body.view !== undefined) {
      dialog.value = {
        ...open,
        subject: { ...open.subject, ...subjectOf(open.subject.key, error.body.view) },
      };
      decision.value = null;
      await loadDecision();
    }
  } finally {
    isBusy.value = false;
  }
}
