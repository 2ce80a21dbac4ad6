import type { Contradiction } from "../core/stop/verdict.ts";
import { nameList, shortName, usefulEnd } from "./shortened.ts";

/** What a held agent reads about a check that passes but doesn't count: what was found, and what to do. */
export function renderContradiction(contradiction: Contradiction): string {
  const { kind, detail, output } = contradiction;
  const name = shortName(contradiction.name ?? "");
  switch (kind) {
    case "judge": {
      const head = `✗ ${name}: passes only with your changes to the tests or definitions that decide it, and fails with those of the opening${because(detail)}. Changed since: ${nameList(contradiction.files)}. Restore them and fix the source; if the change is right, only the user can approve it.`;
      return output === null || output.trim() === "" ? head : `${head}\n${usefulEnd(output.trimEnd())}`;
    }
    case "counts":
      return `✗ ${name}: passes, but not as it did at the opening. ${asSentence(detail)} Make every test that ran then run to its end.`;
    case "holdout":
      return `✗ ${name}: fails. You cannot see what it tests; compare your work with the spec.`;
    case "strict":
      return `✗ The checks pass, but the evidence is weak, and the user wants more: ${asSentence(detail)} Show it with a test that fails without your work.`;
  }
}

/** The same in a few words; empty when the name says it all. */
export function contradictionHint(contradiction: Contradiction): string {
  switch (contradiction.kind) {
    case "judge":
      return `restore ${nameList(contradiction.files)}`;
    case "counts":
      return shortName(contradiction.detail);
    case "holdout":
      return "";
    case "strict":
      return `show more than weak evidence: ${shortName(contradiction.detail)}`;
  }
}

function because(detail: string): string {
  return detail === "" ? "" : ` (${shortName(detail).replace(/\.$/, "")})`;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
