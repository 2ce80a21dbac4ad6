const BEGINNING = "permission is missing: ";
const FLAG = /--(?:allow|permission-mode) (?:'(?:[^']|'\\'')*'|[^\s',]+)/g;

/** Why a loop pauses when its agent is denied what it needs, with the flag that would allow each denial. */
export function missingPermission(denials: readonly string[]): string {
  return `${BEGINNING}${denials.join(", ")}`;
}

/** The flags in such a detail; empty for any other detail. */
export function flagsIn(detail: string | null): readonly string[] {
  return detail?.startsWith(BEGINNING) === true ? (detail.match(FLAG) ?? []) : [];
}

/** Keeps an agent's own words from passing for the machine's. */
export function isMissingPermission(text: string): boolean {
  return text.trimStart().startsWith(BEGINNING.trimEnd());
}
