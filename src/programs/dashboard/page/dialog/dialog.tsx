import { useEffect, useRef } from "preact/hooks";
import { connection, facts, mayAct } from "../data/state.ts";
import { close, decision, dialog, failure, fields, isBusy, press, start } from "./open-dialog.ts";
import { commandLines } from "./asked-action.ts";
import { ContinueFields, RetryFields } from "./continue-fields.tsx";
import { DecidedFiles } from "./decided-files.tsx";
import { questionOf, textsOf } from "./dialog-texts.ts";
import { copyLabel } from "./subject.ts";
import { Output } from "../shown/code.tsx";
import { costSentence, dollars } from "../shown/words.ts";

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
  }, [open?.what, isAwaited]);
  if (open === null) return null;
  const { subject, what } = open;
  const needsDecision = what === "approve" || what === "undo" || what === "trust";
  const isReady = mayAct.value && !isBusy.value && (!needsDecision || decision.value !== null);
  const texts = textsOf(open);
  const [main, second] = texts.labels;
  const lines = commandLines(open, fields.value, second !== null && what !== "resolve");
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
        <h2 id="asked">{questionOf(open, decision.value)}</h2>
        <p>{texts.changes}</p>
        {what === "continue" && <ContinueFields subject={subject} />}
        {what === "retry" && <RetryFields subject={subject} />}
        {decision.value !== null && <DecidedFiles decision={decision.value} />}
        {needsDecision && decision.value === null && failure.value === null && <p>Reading…</p>}
        <p class="runs">
          This runs, as you, in <code>{subject.root}</code>:
        </p>
        <Output text={lines.join("\n")} />
        <p>
          {left !== null && left > 0 && `${dollars(left)} of ${dollars(subject.budgetUsd ?? 0)} is left. `}
          {subject.cost?.startsWith("unknown") === true && `${costSentence(subject.cost)} `}
          {["continue", "retry", "refuse"].includes(what) || second !== null
            ? "A run has this server's environment, and keeps running when you close the page."
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
            data-first
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
          {what === "approve" && subject.needs?.refusing !== undefined && (
            <button class="btn" disabled={!mayAct.value} onClick={() => start("refuse", subject)}>
              No, have it restored
            </button>
          )}
          <button class="plain" onClick={() => void navigator.clipboard?.writeText(lines.join("\n"))}>
            {copyLabel(lines)}
          </button>
          <button class="plain last" onClick={close}>
            Not now <kbd>Esc</kbd>
          </button>
        </div>
        <span class="sr" aria-live="polite">
          {isBusy.value ? "Working" : ""}
        </span>
      </div>
    </div>
  );
}

/** Tab stays inside, and Enter in a field presses the button. */
function trapFocus(event: KeyboardEvent): void {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) void press(true);
  if (event.key !== "Tab" || !(event.currentTarget instanceof HTMLElement)) return;
  const all = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      "button:not([disabled]), input, select, [tabindex='0']",
    ),
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
