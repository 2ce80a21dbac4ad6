import { useEffect, useRef } from "preact/hooks";
import { connection, facts, mayAct, now } from "../data/state.ts";
import {
  type OpenDialog,
  budget,
  close,
  commandLines,
  decision,
  dialog,
  failure,
  isBusy,
  iterations,
  press,
  words,
} from "./open-dialog.ts";
import { copyLabel } from "./subject.ts";
import { Diff, Output } from "../shown/code.tsx";
import { costWords, counted, dollars } from "../shown/words.ts";

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

/** What changes, the exact commands, and the buttons that run them. */
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
