import { facts } from "../data/state.ts";
import { Output } from "../shown/code.tsx";
import { dollars } from "../shown/words.ts";
import type { Fields } from "./asked-action.ts";
import { fields } from "./open-dialog.ts";
import type { Subject } from "./subject.ts";

function change(part: Partial<Fields>): void {
  fields.value = { ...fields.value, ...part };
}

function Say({ isFirst = false }: { readonly isFirst?: boolean }) {
  return (
    <label class="wide">
      Tell the agent{" "}
      <input
        data-first={isFirst ? true : undefined}
        value={fields.value.say}
        onInput={(event) => change({ say: event.currentTarget.value })}
      />
    </label>
  );
}

/** What a task that is tried again gets to know. */
export function RetryFields({ subject: { needs } }: { readonly subject: Subject }) {
  return (
    <>
      {needs?.detail != null && <Output text={needs.detail} most={6} />}
      <Say isFirst />
    </>
  );
}

/** What the budget is afterwards. */
function totalWords(budgetUsd: number | null, added: number): string {
  return budgetUsd === null || !(added > 0)
    ? ""
    : ` ${dollars(added)} more, ${dollars(budgetUsd + added)} in all`;
}

/** What can be given to a loop that goes on. */
export function ContinueFields({ subject }: { readonly subject: Subject }) {
  const { needs, lastAgent } = subject;
  const { budget, iterations, agent } = fields.value;
  const agents = facts.value?.agents ?? [];
  if (needs?.kind === "commit") return null;
  return (
    <>
      {needs?.detail != null && <Output text={needs.detail} most={6} />}
      {needs?.kind === "breaker" && <Say isFirst />}
      {needs?.kind !== "undriven" && (
        <>
          <label>
            Add dollars{" "}
            <input
              data-first={needs?.kind === "breaker" ? undefined : true}
              inputMode="decimal"
              value={budget}
              onInput={(event) => change({ budget: event.currentTarget.value })}
            />
            <span class="dim">{totalWords(subject.budgetUsd, Number(budget))}</span>
          </label>
          <label>
            Add iterations{" "}
            <input
              inputMode="numeric"
              value={iterations}
              onInput={(event) => change({ iterations: event.currentTarget.value })}
            />
          </label>
        </>
      )}
      <label>
        Agent{" "}
        <select value={agent} onInput={(event) => change({ agent: event.currentTarget.value })}>
          <option value="">
            {lastAgent === null ? "that of its session, or of your settings" : `as before: ${lastAgent}`}
          </option>
          {agents.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      {needs?.kind !== "undriven" && needs?.kind !== "breaker" && <Say />}
    </>
  );
}
