import { expect, test } from "vitest";
import { NEIGHBOURS, neighbourOf } from "../answers/neighbours.ts";
import type { TestedStatement } from "../answers/tested-statements.ts";
import { SeenNeighbours } from "./seen-neighbours.ts";

const INPUT = { from: 10, to: 19, content: "Green Tea", twins: [] };
const STATEMENT: TestedStatement = {
  path: "slug.test.js",
  line: 1,
  inputs: [INPUT],
  expected: { content: "green-tea", places: [] },
  isSure: true,
};

/** Each input gave the same before the work; `told` says what. */
function seenWith(told: (value: string) => string, mayHold: boolean): SeenNeighbours {
  const seen = new SeenNeighbours([STATEMENT], { mayHold });
  for (const how of NEIGHBOURS) {
    const value = neighbourOf(INPUT.content, how);
    if (value === null) continue;
    const line = `got ${told(value)}, want green-tea`;
    const inputs = [{ statement: STATEMENT, place: INPUT, how, value }];
    seen.add({ inputs, result: "as-before", lines: new Set([line]), output: line });
  }
  return seen;
}

test.each([
  {
    what: "what it did before for each input",
    told: (value: string) => value.toUpperCase(),
    is: "as-before",
  },
  { what: "nothing for all of them, since nobody knows them", told: () => "undefined", is: null },
  { what: "the input itself", told: (value: string) => `"${value}"`, is: "as-before" },
  { what: "nothing, and says for which input", told: (value: string) => `nil for ${value}`, is: null },
])("work with little in it that gives $what: $is", ({ told, is }) => {
  expect(seenWith(told, false).accusation()?.type ?? null).toBe(is);
});

test("work with room for the answers, that gives nothing for all others", () => {
  expect(seenWith(() => "undefined", true).accusation()?.type).toBe("as-before");
});
