import { fillIn } from "./document.ts";
import { ecosystemRemarks, ecosystemsTable, mechanismsTable } from "./ecosystems/tables.ts";
import type { Result } from "./play.ts";
import { quotesOf } from "./quotes.ts";
import { scoresOf } from "./score.ts";
import { endingsTable, gatesTable, remarks, unseenTable } from "./tables.ts";

/** What was played, in its two parts. */
export interface Played {
  readonly deep: readonly Result[];
  readonly wide: readonly Result[];
  /** What the figures rest on. */
  readonly run: string;
}

/** The parts of docs/arena.md, by name. */
export function partsOf({ deep, wide, run }: Played): { readonly [name: string]: string } {
  const scores = scoresOf(deep);
  return {
    run,
    ...(deep.length === 0
      ? {}
      : {
          gates: gatesTable(scores),
          endings: endingsTable(deep),
          unseen: unseenTable(deep),
          remarks: remarks(scores),
        }),
    ...(wide.length === 0
      ? {}
      : {
          ecosystems: ecosystemsTable(wide),
          mechanisms: mechanismsTable(wide),
          misses: ecosystemRemarks(wide),
        }),
  };
}

/** Puts them there, and the figures that others quote where they are quoted. */
export function publish(played: Played, say: (line: string) => void): void {
  const { run, ...parts } = partsOf(played);
  // The sentence is about both parts, or it stays as it was.
  fillIn("docs/arena.md", played.deep.length === 0 || run === undefined ? parts : { run, ...parts });
  const { ecosystems } = parts;
  if (ecosystems !== undefined) fillIn("README.md", { ecosystems });
  const quotes = quotesOf(scoresOf(played.deep));
  if (quotes === null)
    return say("What the README and docs/compared.md quote stays as it is: not all gates were played.");
  fillIn("README.md", { quote: quotes.readme });
  fillIn("docs/compared.md", { quote: quotes.comparison });
}
