import { signal } from "@preact/signals";
import type { StatusView } from "../../../../views/status.ts";
import { approvedIn } from "../../commands.ts";
import type { Decision } from "../../decision.ts";
import { RequestError, ask, detail, facts } from "../data/state.ts";
import { actionOf, type Fields, type OpenDialog } from "./asked-action.ts";
import { subjectOf, type Asked, type Subject } from "./subject.ts";

export const dialog = signal<OpenDialog | null>(null);
export const decision = signal<Decision | null>(null);
export const failure = signal<string | null>(null);
export const isBusy = signal(false);
export const fields = signal<Fields>({ budget: "", iterations: "", say: "", agent: "" });
let before: Element | null = null;

/** A loop that nobody works on needs one; others go on with theirs. */
function firstAgent({ needs }: Subject): string {
  return needs?.kind === "undriven" ? (facts.value?.agents[0] ?? "") : "";
}

export function start(
  what: Asked,
  subject: Subject,
  given: { readonly iteration?: number; readonly finding?: string } = {},
): void {
  if (what === "copy") {
    void navigator.clipboard?.writeText((subject.needs?.commands ?? []).join("\n"));
    return;
  }
  if (dialog.value === null) before = document.activeElement;
  const [, undone] = /^loop undo (\d+)/.exec(subject.needs?.commands[0] ?? "") ?? [];
  const iteration = given.iteration ?? (undone === undefined ? null : Number(undone));
  const [, retried] = /^loop task retry (\S+)/.exec(subject.needs?.commands[0] ?? "") ?? [];
  const resume = subject.needs?.commands.find((each) => each.startsWith("loop continue")) ?? "";
  fields.value = {
    budget: /--budget=([\d.]+)/.exec(resume)?.[1] ?? "",
    iterations: /--iterations=(\d+)/.exec(resume)?.[1] ?? "",
    say: "",
    agent: firstAgent(subject),
  };
  failure.value = null;
  decision.value = null;
  dialog.value = { subject, what, iteration, finding: given.finding ?? null, task: retried ?? null };
  void loadDecision();
}

async function loadDecision(): Promise<void> {
  const open = dialog.value;
  if (open === null || !["approve", "undo", "trust"].includes(open.what)) return;
  const { subject, what, iteration } = open;
  const loop = approvedIn(subject.needs?.commands ?? []);
  const query = new URLSearchParams({
    of: what,
    ...(iteration === null ? {} : { iteration: String(iteration) }),
    ...(loop === null ? {} : { loop }),
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

export async function press(continues: boolean): Promise<void> {
  const open = dialog.value;
  const action = open === null ? null : actionOf(open, fields.value, continues);
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
