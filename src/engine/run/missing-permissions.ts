import type { Denial } from "../../agents/drivers/driver.ts";
import { quoted } from "../../system/text/command-line.ts";

/** Our own read-only commands. A prompt mentions them, and their results are checked after the turn anyway. */
const ONLY_LOOKS = /^\w+\(loop (?:check|status)\b/;

/** What an agent was denied and may need, each as the flag that would allow it, to be copied into a shell. */
export function missingPermissions(denials: readonly Denial[]): readonly string[] {
  return denials
    .filter(({ rule }) => !ONLY_LOOKS.test(rule))
    .map(({ tool, rule }) => {
      const flag = rule.startsWith("--") ? rule : `--allow ${quoted(rule)}`;
      return rule === tool || rule.startsWith(`${tool}(`) ? flag : `${flag} (for ${tool})`;
    });
}
