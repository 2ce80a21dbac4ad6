import { micromark } from "micromark";
import { describe, expect, test } from "vitest";
import {
  START,
  checked,
  loopOver,
  loopWith,
  proofShown,
  ran,
  shellCheck,
} from "../../../test/support/loop-builders.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { IterationRow } from "./iterations.ts";
import { summaryView } from "./summary.ts";

const PAUSED: LoopEvent = { type: "loop.paused", reason: "blocked", detail: "needs a key", by: "machine" };
const CONTINUED: LoopEvent = {
  type: "loop.continued",
  addedUsd: null,
  addedIterations: null,
  addedTokens: null,
  addedMinutes: null,
  by: "person",
};
const COMPLETED: LoopEvent = { type: "loop.completed", confidence: "verified", why: [], changed: null };

function row(part: Partial<IterationRow> = {}): IterationRow {
  const at = new Date(START).toISOString();
  return {
    loop: "a-loop",
    iteration: 1,
    step: null,
    status: "continued",
    reason: null,
    cost: 0.5,
    tokens: 10,
    said: "words",
    startedAt: at,
    endedAt: at,
    ...part,
  };
}

/** A row of a table, as GitHub counts its cells: a bar behind a backslash is text. */
function cellsOf(line: string): number {
  return (line.replaceAll(/\\[!-/:-@[-`{-~]/g, "").match(/\|/g) ?? []).length - 1;
}

describe("the text of others", () => {
  const evil = [
    "# Heading",
    "- item",
    "+ item",
    "1. one",
    "===",
    "~~~",
    "> quote",
    "<script>alert(1)</script> <!-- hidden",
    "**bold** _soft_ ![p](http://evil) [x](http://evil) `code` | cell | &lt;b&gt;",
    "a \\| b \\\\| c \\` d",
  ];

  function rendered(loop: Loop, rows: readonly IterationRow[] = []): string {
    return micromark(summaryView(loop, rows), { allowDangerousHtml: true });
  }

  test("becomes no markup, as a spec", () => {
    const html = rendered(loopWith({ goal: { spec: evil.join("\n") } }));

    expect(html).not.toMatch(/<(script|b|strong|em|a|img|pre)\b|<!--|<li>(item|one)/);
    expect(html.match(/<h\d>/g)).toEqual(["<h1>"]);
    expect(html.match(/<blockquote>/g)).toHaveLength(1);
    expect(html).toContain("&amp;lt;b&amp;gt;");
    expect(html.indexOf("</blockquote>")).toBeGreaterThan(html.indexOf("c \\` d"));
  });

  test.each(evil)("becomes no markup, as names, words and commands: %s", (text) => {
    const loop = loopWith(
      {
        goal: { criteria: [{ name: text, check: shellCheck(`test ${text}`) }], steps: [text] },
      },
      ran(text, { ending: text }),
      { ...PAUSED, detail: text },
    );
    const summary = summaryView(loop, [row({ said: text })]);
    const html = micromark(summary, { allowDangerousHtml: true });

    expect(html).not.toMatch(/<(script|b|strong|em|a|img|pre)\b|<!--/);
    expect(html.match(/<h\d>/g)).toEqual(["<h1>", "<h2>", "<h2>", "<h2>"]);
    const rows = summary.split("\n").filter((line) => line.startsWith("|"));
    expect(rows.map(cellsOf)).toEqual(rows.map(() => 4));
    expect(rows).toHaveLength(6);
  });

  test("a command is shown as it is run", () => {
    const loop = loopWith({
      goal: { criteria: [{ name: "tests", check: shellCheck("npm run my_test -- *.ts") }] },
    });

    expect(summaryView(loop, [])).toContain("| ✗ | tests | `npm run my_test -- *.ts` | not shown |\n");
  });

  test("a long spec is cut", () => {
    expect(summaryView(loopWith({ goal: { spec: "long ".repeat(10_000) } }), []).length).toBeLessThan(3_000);
  });
});

describe("what it tells", () => {
  test("how it ended, and how to go on", () => {
    expect(summaryView(loopWith({}, PAUSED), [])).toMatch(/^# Paused: blocked \(needs a key\)\n/);
    expect(summaryView(loopWith({}, PAUSED), [])).toContain("- Resume: `loop continue`\n");
    expect(summaryView(loopWith({}, COMPLETED), [])).toMatch(/^# Completed\n/);
    expect(summaryView(loopWith({}, { type: "loop.cancelled", by: "person" }), [])).toMatch(/^# Cancelled\n/);
  });

  test("how long was worked, pauses left out", () => {
    const history: readonly (readonly [number, LoopEvent])[] = [
      [60_000, PAUSED],
      [3_600_000, CONTINUED],
      [3_605_000, COMPLETED],
    ];

    expect(summaryView(loopOver({}, ...history.slice(0, 1)), [])).toContain("- Time: 1 min 0 s\n");
    expect(summaryView(loopOver({}, ...history), [])).toContain("- Time: 1 min 5 s\n");
  });

  test("how sure a completion is, what was shown, and what it changed", () => {
    const loop = loopWith(
      { goal: { criteria: [checked("tests")] } },
      { ...ran("tests", { passed: false }), atStart: true },
      ran("tests"),
      proofShown("tests", { kind: "judge" }),
      proofShown("tests", { kind: "repeat" }),
      {
        type: "loop.completed",
        confidence: "weak",
        why: ["proofs were switched off", "nothing notices"],
        changed: {
          source: Array.from({ length: 25 }, (_, index) => `src/${index}.js`),
          tests: ["test/`a`|b.js"],
          definitions: [],
          deleted: ["test/gone.test.js"],
        },
      },
    );
    const summary = summaryView(loop, []);

    expect(summary).toContain("\n- Confidence: weak: proofs were switched off; nothing notices\n");
    expect(summary).toContain("| ✓ | tests | `run tests` | passed, fixed, proofs: judge, repeat |\n");
    expect(summary).toContain("## Changed since the opening\n\n- Source: `src/0.js`, ");
    expect(summary).toContain("`src/19.js` and 5 more\n- Tests: ");
    expect(summary).toContain("\n- Deleted: `test/gone.test.js`\n");
    expect(summary).not.toContain("Definitions");
    expect(micromark(summary)).toContain("<code>test/`a`|b.js</code>");
  });
});
