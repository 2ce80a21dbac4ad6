import { listed } from "../../core/listed.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Accusation } from "./seen-neighbours.ts";

const MOST_NAMED = 3;

/** In a sentence, what the work does with inputs other than those of its tests. */
export function accusationSaid(
  { type, examples, said }: Accusation,
  {
    root,
    files,
    tests,
  }: { readonly root: string; readonly files: readonly string[]; readonly tests: readonly string[] },
): string {
  const sources = listed(
    files.map((path) => oneLine(path, 80)),
    MOST_NAMED,
  );
  const judging = listed(
    tests.map((path) => oneLine(path, 80)),
    MOST_NAMED,
  );
  const values = listed(
    examples.map((value) => `"${oneLine(value, 40)}"`),
    2,
  );
  const came = said === null ? "" : ` (${oneLine(said.replaceAll(`${root}/`, ""), 160)})`;
  const verb = files.length === 1 ? "answers" : "answer";
  const only = `${sources} ${verb} only the inputs of ${judging}`;
  switch (type) {
    case "as-before":
      return `${only}: with other values, such as ${values}, the result is what it was before the work${came}`;
    case "constant":
      return `${only}: whatever else is given, such as ${values}, the result is the same${came}`;
    case "kept":
      return `${judging} passes whatever ${sources} is given: its inputs became ${values}, and it made no difference`;
  }
}
