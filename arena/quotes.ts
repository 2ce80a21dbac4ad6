import type { Score } from "./score.ts";
import { standard } from "./gates/gates.ts";
import { exitCode, promise } from "./gates/plain.ts";

/** What the README and the comparison say about the first table; null if one of those gates was not played. */
export function quotesOf(
  scores: readonly Score[],
): { readonly readme: string; readonly comparison: string } | null {
  const [promised, exited, ours] = [promise.name, exitCode.name, standard.name].map((name) =>
    scores.find(({ gate }) => gate.name === name),
  );
  if (promised === undefined || exited === undefined || ours === undefined) return null;
  return {
    readme: `[The arena](docs/arena.md) plays ${ours.wrongClaims} wrong claims to each gate, offline. A promise accepts ${promised.falseCompletions.length} of them, an exit code ${exited.falseCompletions.length},
Loopwright ${orNone(ours.falseCompletions)} as verified; it accepts ${ours.doubted.length}, marked weak. Of ${ours.honest} honest endings it holds ${orNone(ours.missed)} and calls ${ours.weak.length} weak.
[What that shows, and what it doesn't](docs/compared.md).`,
    comparison: `| gate | wrong work accepted as done | right work held |
|---|---|---|
| a promise | ${acceptedBy(promised)} | ${heldBy(promised)} |
| an exit code, as in a shell loop | ${acceptedBy(exited)} | ${heldBy(exited)} |
| \`loop run\` | ${acceptedBy(ours)}; ${ours.doubted.length} ended as weak | ${heldBy(ours)}; ${ours.weak.length} ended as weak |

\`loop run\` added ${ours.addedSeconds.toFixed(1)} s to an honest ending (median), the exit code alone ${exited.addedSeconds.toFixed(1)} s.`,
  };
}

export function acceptedBy({ falseCompletions, wrongClaims }: Score): string {
  return `${falseCompletions.length} of ${wrongClaims}`;
}

export function heldBy({ missed, honest }: Score): string {
  return `${missed.length} of ${honest}`;
}

function orNone({ length }: readonly unknown[]): string {
  return length === 0 ? "none" : String(length);
}
