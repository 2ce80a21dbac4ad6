import type { Denial } from "../drivers/driver.ts";

/** Our own commands that only look. A prompt names them, and what they show is looked at after the turn anyway. */
const ONLY_LOOKS = /^\w+\(loop (?:check|status)\b/;

/** What an agent was denied and may need for its work, each as the flag that would allow it. */
export function missingPermissions(denials: readonly Denial[]): readonly string[] {
  return denials
    .filter(({ rule }) => !ONLY_LOOKS.test(rule))
    .map(({ tool, rule }) => {
      const flag = rule.startsWith("--") ? rule : `--allow ${shellWord(rule)}`;
      return rule === tool || rule.startsWith(`${tool}(`) ? flag : `${flag} (for ${tool})`;
    });
}

/** What an agent wanted to do stands in a rule, and a person copies it into a shell. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
