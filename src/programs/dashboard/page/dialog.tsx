import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { BoardRow } from "../../../views/board.ts";
import type { StatusView } from "../../../views/status.ts";
import type { Action } from "../actions.ts";
import type { Decision } from "../decision.ts";
import { Diff, Output } from "./code.tsx";
import { ask, connection, detail, facts, mayAct, now, RequestError } from "./state.ts";
import { costWords, counted, dollars } from "./words.ts";

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
>;

export function subjectOf(key: string, view: StatusView): Subject {
  const { root, id, seq, needs, cost, costUsd, budgetUsd, iterationLimit, phase } = view;
  const project = (root ?? "").split("/").at(-1) ?? "";
  return { key, project, root: root ?? "", id, seq, needs, cost, costUsd, budgetUsd, iterationLimit, phase };
}

export type Asked = Action["type"] | "copy";

interface OpenDialog {
  readonly subject: Subject;
  readonly what: Exclude<Asked, "copy">;
  readonly iteration: number | null;
  readonly finding: string | null;
}

export const dialog = signal<OpenDialog | null>(null);
const decision = signal<Decision | null>(null);
const failure = signal<string | null>(null);
const isBusy = signal(false);
const budget = signal("");
const iterations = signal("");
const words = signal("");
let before: Element | null = null;

/** The one action that helps most, in the words of its button. */
export function mainAction({
  needs,
}: Pick<Subject, "needs">): { readonly what: Asked; readonly label: string } | null {
  const [first] = needs?.commands ?? [];
  if (needs === null || first === undefined) return null;
  const [, undone] = /^loop undo (\d+)/.exec(first) ?? [];
  if (undone !== undefined) return { what: "undo", label: `Undo iteration ${undone}…` };
  if (first.startsWith("loop approve")) return { what: "approve", label: "Approve the test…" };
  if (first.startsWith("loop trust")) return { what: "trust", label: "Trust…" };
  if (first.startsWith("loop continue")) {
    const [, usd] = /--budget=([\d.]+)/.exec(first) ?? [];
    const [, more] = /--iterations=(\d+)/.exec(first) ?? [];
    if (/--(?:allow|permission-mode|max-)/.test(first))
      return { what: "copy", label: copyLabel(needs.commands) };
    if (usd !== undefined) return { what: "continue", label: `Add ${dollars(Number(usd))}…` };
    if (more !== undefined) return { what: "continue", label: `Add ${counted(Number(more), "iteration")}…` };
    return { what: "continue", label: needs.kind === "blocked" ? "Answer…" : "Continue…" };
  }
  return { what: "copy", label: copyLabel(needs.commands) };
}

function copyLabel({ length }: readonly string[]): string {
  return length === 1 ? "Copy command" : `Copy ${length} commands`;
}

/** What else can be done; the main action isn't repeated. */
export function otherActions({
  phase,
  needs,
}: Pick<Subject, "phase" | "needs">): readonly { readonly what: Asked; readonly label: string }[] {
  const main = mainAction({ needs })?.what;
  const all: readonly { readonly what: Asked; readonly label: string; readonly isFor: boolean }[] = [
    { what: "continue", label: "Continue…", isFor: phase === "paused" || needs?.kind === "died" },
    { what: "pause", label: "Pause…", isFor: phase === "active" && needs?.kind !== "died" },
    { what: "cancel", label: "Cancel…", isFor: phase === "active" || phase === "paused" },
    { what: "copy", label: copyLabel(needs?.commands ?? []), isFor: (needs?.commands.length ?? 0) > 0 },
  ];
  return all.filter(({ what, isFor }) => isFor && what !== main);
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
function commandLines(open: OpenDialog, continues: boolean): readonly string[] {
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

async function press(continues: boolean): Promise<void> {
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

function questionOf({ what, subject, iteration, finding }: OpenDialog): string {
  const [file] = decision.value?.files ?? [];
  switch (what) {
    case "approve":
      return file === undefined ? "Approve what changed?" : `Approve ${file.path} as it is now?`;
    case "undo":
      return `Undo iteration ${iteration ?? ""}?`;
    case "continue":
      return `Continue ${subject.project}?`;
    case "pause":
      return `Pause ${subject.project}?`;
    case "cancel":
      return `Cancel ${subject.project} for good?`;
    case "trust":
      return "Trust this loop on this machine?";
    case "resolve":
      return `What becomes of ${finding ?? "the finding"}?`;
  }
}

const CHANGES = {
  approve:
    "The opening moves for what is shown: from now on the changed tests judge the work. Only a person may say so.",
  undo: "The files go back to how they were before that iteration. Commits, the index and ignored files stay. The undone files are kept, too.",
  continue: "It goes on where it stopped, with its breakers reset.",
  pause: "The agent stops at once. Everything is kept, and it can continue later.",
  cancel: "It ends for good, and what it did stays in the files. Its record is kept.",
  trust: "Its commands may run from then on. These are all of them:",
  resolve: "A fix becomes a task of the plan. Accepted, the work stays as it is, and the risk is yours.",
} as const;

const LABELS = {
  approve: ["Approve and continue", "Approve only"],
  undo: ["Undo and continue", "Undo only"],
  continue: ["Continue", null],
  pause: ["Pause", null],
  cancel: ["Cancel the loop", null],
  trust: ["Trust it", null],
  resolve: ["Make it a task", "Accept the risk"],
} as const;

export function Dialog() {
  const open = dialog.value;
  const box = useRef<HTMLDivElement>(null);
  const isAwaited =
    open !== null && ["approve", "undo", "trust"].includes(open.what) && decision.value === null;
  // What can't be pressed yet can't have the focus; until then the dialog itself has it.
  useEffect(() => {
    const first = isAwaited ? null : box.current?.querySelector<HTMLElement>("[data-first]");
    (first ?? box.current)?.focus();
  }, [open === null, isAwaited]);
  if (open === null) return null;
  const { subject, what } = open;
  const needsDecision = what === "approve" || what === "undo" || what === "trust";
  const isReady = mayAct.value && !isBusy.value && (!needsDecision || decision.value !== null);
  const [main, second] = LABELS[what];
  const left =
    subject.budgetUsd === null || subject.costUsd === null ? null : subject.budgetUsd - subject.costUsd;
  return (
    <div class="back" onClick={(event) => event.target === event.currentTarget && close()}>
      <div
        class="dialog"
        role="dialog"
        aria-modal="true"
        aria-labelledby="asked"
        tabIndex={-1}
        ref={box}
        onKeyDown={trapFocus}
      >
        <h2 id="asked">{questionOf(open)}</h2>
        <p>{CHANGES[what]}</p>
        {what === "continue" && (
          <>
            {subject.needs?.detail != null && <Output text={subject.needs.detail} most={6} />}
            <label>
              Add dollars{" "}
              <input
                data-first
                inputMode="decimal"
                value={budget.value}
                onInput={(event) => (budget.value = event.currentTarget.value)}
              />
            </label>
            <label>
              Add iterations{" "}
              <input
                inputMode="numeric"
                value={iterations.value}
                onInput={(event) => (iterations.value = event.currentTarget.value)}
              />
            </label>
            <label class="wide">
              Tell the agent{" "}
              <input value={words.value} onInput={(event) => (words.value = event.currentTarget.value)} />
            </label>
          </>
        )}
        {(decision.value?.files ?? []).slice(0, 20).map(({ path, change, added, removed, lines }) =>
          lines.length > 0 ? (
            <div key={path}>
              {(decision.value?.files.length ?? 0) > 1 && <p class="mono">{path}</p>}
              <Diff lines={lines} label={`changes of ${path}`} />
            </div>
          ) : (
            <p key={path} class="mono">
              {change} {path} {added !== null && <span class="c-green">+{added}</span>}{" "}
              {removed !== null && <span class="c-red">−{removed}</span>}
            </p>
          ),
        )}
        {what === "trust" && decision.value !== null && <Output text={decision.value.commands.join("\n")} />}
        {needsDecision && decision.value === null && failure.value === null && <p>Reading…</p>}
        <p class="runs">
          This runs, as you, in <code>{subject.root}</code>:
        </p>
        <Output text={commandLines(open, second !== null && what !== "resolve").join("\n")} />
        <p>
          {left !== null && left > 0 && `${dollars(left)} of ${dollars(subject.budgetUsd ?? 0)} is left. `}
          {subject.cost?.startsWith("unknown") === true && `${costWords(subject.cost)}. `}
          {what === "continue" || second !== null
            ? "A run has the environment of this server, and goes on if you close the page."
            : ""}
        </p>
        {failure.value !== null && (
          <p class="error" role="alert">
            {failure.value}
          </p>
        )}
        {!mayAct.value && (
          <p class="error">
            {facts.value?.readOnly ?? (connection.value === "live" ? "" : "Nobody answers right now.")}
          </p>
        )}
        <div class="buttons">
          <button
            class={`btn ${what === "cancel" ? "red" : "main"}`}
            data-first={what === "continue" ? undefined : true}
            disabled={!isReady}
            onClick={() => void press(true)}
          >
            {main}
          </button>
          {second !== null && (
            <button class="btn" disabled={!isReady} onClick={() => void press(false)}>
              {second}
            </button>
          )}
          <button
            class="plain"
            onClick={() =>
              void navigator.clipboard?.writeText(commandLines(open, second !== null).join("\n"))
            }
          >
            {copyLabel(commandLines(open, second !== null))}
          </button>
          <button class="plain last" onClick={close}>
            Not now <kbd>Esc</kbd>
          </button>
        </div>
        <span class="sr" aria-live="polite">
          {isBusy.value ? "Working" : counted(decision.value?.files.length ?? 0, "file")}{" "}
          {now.value > 0 ? "" : ""}
        </span>
      </div>
    </div>
  );
}

/** Tab stays inside. */
function trapFocus(event: KeyboardEvent): void {
  if (event.key !== "Tab" || !(event.currentTarget instanceof HTMLElement)) return;
  const all = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("button:not([disabled]), input, [tabindex='0']"),
  ];
  const [first] = all;
  const end = all.at(-1);
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    end?.focus();
  } else if (!event.shiftKey && document.activeElement === end) {
    event.preventDefault();
    first?.focus();
  }
}
