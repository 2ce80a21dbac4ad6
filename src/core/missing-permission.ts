const BEGINNING = "permission is missing: ";
const FLAG = /--(?:allow|permission-mode) (?:'(?:[^']|'\\'')*'|[^\s',]+)/g;

/** Why a loop pauses when its agent was denied what it needs; each denial with the flag that would allow it. */
export function missingPermission(denials: readonly string[]): string {
  return `${BEGINNING}${denials.join(", ")}`;
}

/** The flags that such a detail names; none in any other one. */
export function flagsIn(detail: string | null): readonly string[] {
  return detail?.startsWith(BEGINNING) === true ? (detail.match(FLAG) ?? []) : [];
}

/** An agent's own words, which never pass for the machine's. */
export function isMissingPermission(text: string): boolean {
  return text.trimStart().startsWith(BEGINNING.trimEnd());
}
