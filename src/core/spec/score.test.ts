import { describe, expect, test } from "vitest";
import { scoreSpec } from "./score.ts";
import { plainShape } from "./shape.ts";
import { DIMENSIONS, type Dimension, type Extras, type Points } from "./rule.ts";

const NO_EXTRAS: Extras = { criteria: [], mustNots: [], protects: [] };

/** Pairs that differ in one thing only; the named dimension must tell them apart. */
const LADDERS: readonly (readonly [Dimension, string, Points])[] = [
  ["outcome", "Make the report better", 0],
  ["outcome", "Add filters to the report", 1],
  ["outcome", "Add filters to the report that keep only rows of the last 30 days", 2],
  ["outcome", "Make the report load faster", 1],
  ["outcome", "The report must load within 300 ms", 2],
  ["outcome", "The report archive may be no larger than 2 MB", 2],
  ["outcome", "Load the report with at most 3 queries", 2],
  ["outcome", "Make the report faster than 200 ms", 2],
  ["outcome", "Does the report work with large files?", 0],
  ["outcome", "Is it possible that the report is never refreshed?", 0],
  ["outcome", "Why is the report slow", 0],
  ["outcome", "Can you add filters to the report?", 1],
  ["outcome", "Can you check if the report works?", 0],
  ["outcome", "Find out why the report takes two hours", 1],
  ["outcome", "Partition the report table", 1],
  ["outcome", "Expose `reports_total` at /metrics", 2],
  ["outcome", "Please explain the report", 0],
  ["outcome", "The report shall become better", 0],
  ["outcome", "We need an archive for the reports", 1],
  ["outcome", "Clean the address data of the report", 1],
  ["outcome", "As an editor I want to see which reports have no author", 1],
  ["outcome", "The report should fit into our existing archive", 1],
  ["outcome", "The field `author` is not mapped in the report", 2],
  ["outcome", "Make `total()` return 0 for an empty report", 2],
  ["outcome", "The report is wrong\n## Expected\nThe total is the sum of its rows", 2],
  ["scope", "Improve performance of the whole application", 0],
  ["scope", "Improve performance of the invoice screen", 1],
  ["scope", "Improve performance of src/invoice/render.ts", 2],
  ["scope", "Improve performance of GET /invoices", 2],
  ["scope", "Improve performance of `renderInvoice`", 2],
  ["scope", "Improve performance of render_invoice()", 2],
  ["scope", "Improve performance of GET /users, POST /orders and DELETE /cart", 2],
  ["scope", "Improve the output of the commands build, lint and test", 2],
  ["scope", "Improve the output of the build, lint and test commands", 2],
  ["scope", "Improve the output of build and its friends", 1],
  ["scope", "Move the invoice screen to TypeScript on GitHub", 1],
  ["scope", "The invoice screen shall be sortable by each column", 1],
  ["scope", 'Improve the output of `render("a")`', 2],
  ["constraints", "Add filters to the report", 0],
  ["constraints", "Add filters to the report with the current stack", 1],
  ["constraints", "Add filters to the report. Don't touch the exports page.", 1],
  [
    "constraints",
    "Add filters to the report. Don't touch the exports page. Never call the billing system.",
    2,
  ],
  ["constraints", "Add filters to the report, no new dependencies", 2],
  ["constraints", "Never show old rows in the report", 0],
  ["constraints", "Is the report never refreshed?", 0],
  ["constraints", "Update the dependencies of the report, patch releases only", 2],
  ["constraints", "Add filters to the report. Only src/utils.ts may change.", 2],
  ["constraints", "Add filters to the report. Touch nothing but src/utils.ts.", 2],
  ["constraints", "Add filters to the report. Only edit src/utils.ts and README.md.", 2],
  ["constraints", "Add filters to the report. Python 3.11.", 2],
  ["constraints", "Add filters to the report, Node 18 must keep working", 2],
  ["constraints", "Add filters to the report without touching src/export.ts", 2],
  ["constraints", "Add filters to the report, keep the public API", 2],
  ["constraints", "Add filters to the report, no Redis", 2],
  ["constraints", "Add filters to the report, Node 18 compatible", 2],
  ["constraints", "Add filters to the report. The bundle must drop below 180 kB.", 2],
  ["constraints", "Add filters to the report, memory must stay under 32 MB", 2],
  ["constraints", "Add filters to the report, keep alpine", 2],
  ["constraints", "Add filters to the report, but keep the column order", 1],
  ["constraints", "The report must load within 300 ms", 0],
  ["constraints", "Reports must never be sent twice", 0],
  ["constraints", "Work on the report and don't stop", 0],
  ["constraints", "Drop support for Node 14", 0],
  ["constraints", "Rotate the reports and keep 14 days", 0],
  ["constraints", "Show the reports of the current month", 0],
  ["constraints", "Give the report an optional title (max. 80 characters)", 0],
  ["constraints", "Fix the report\n## Environment\nmacOS 14.2, Chrome 120", 0],
  ["constraints", "Add filters to the report. The migration must be reversible.", 1],
  ["constraints", "Add filters to the report. The rows stay the same, the file must not grow.", 2],
  ["constraints", "The report should issue at most 3 queries", 0],
  ["success", "Add filters to the report", 0],
  ["success", "Add filters to the report. `make check` passes.", 1],
  ["success", "Add filters to the report. `make check` passes, all tests pass.", 2],
  ["success", "Add filters to the report. `npm test` passes, so all tests pass.", 1],
  ["success", "Add filters to the report. All tests + manual QA.", 2],
  ["success", "Add filters to the report. npm test passes and curl shows 400.", 2],
  ["success", "Add filters to the report. kubeconform passes and promtool check rules passes.", 2],
  ["success", "Add filters to the report. Checks: cargo test, cargo clippy.", 2],
  ["success", "As an editor I can filter the report, so that I can compare them with others", 0],
  ["success", "Change the default port of the report", 0],
  ["success", "Add filters to the report. All tests.", 0],
  ["success", "Refactor the report screen", 1],
  ["success", "Users report that the mail arrives twice", 0],
  ["success", 'Replace "report" with "statement" in the headings', 0],
  ["success", "Add filters to the report. Test it with an empty archive.", 1],
  ["success", "Add filters to the report. A test for the empty one would be nice.", 1],
  ["success", "Add filters to the report. Accounting checks ten samples.", 1],
  ["success", "Add filters to the report. Tests pass, and I try it on staging.", 2],
  ["success", "Add filters to the report. How to verify: `npm test`, `npm run lint`.", 2],
  ["done", "Add filters to the report", 0],
  ["done", "Add filters to the report. Done when it works.", 1],
  ["done", "Add filters to the report. Done when the PR is merged.", 2],
  ["done", "Add filters to the report. PR merged to main.", 2],
  ["done", "Cut the load time of the report from 4 s to below 1 s", 2],
  ["done", "Test coverage of the report ≥ 90 %", 2],
  ["done", "The report must load within 300 ms. Stop when it works.", 1],
  ["done", "Reject reports larger than 2 MB", 0],
  ["done", "Log users out after at most 30 minutes", 0],
  ["done", "Raise the replicas of the report from 2 to 4", 0],
  ["done", "Cache the report until it expires", 0],
  ["done", "Disable the report's button until the request is answered", 0],
  ["done", "On screens below 600 px the report opens in a tab", 0],
  ["done", "Add filters to the report. `make check` green, then we are done.", 2],
  ["done", "Add filters to the report. Finished is it when it works.", 1],
  ["done", "100 % branch coverage of the report", 2],
  ["done", "The report stops one line before its end when a row is empty", 0],
  ["done", "Fix all problems of the report", 1],
  ["done", "Add filters to the report. Done when the patch is sent to the list.", 2],
  ["done", "Work on the report until `make check` passes", 2],
];

/** The table with which the rubric was first written down, cell by cell. */
const CELLS: readonly (readonly [Dimension, string, Points])[] = [
  ["outcome", "Make it better", 0],
  ["outcome", "Improve performance", 1],
  ["outcome", "p95 latency <100ms", 2],
  ["scope", "Fix the app", 0],
  ["scope", "Fix auth", 1],
  ["scope", "Fix /api/auth/token", 2],
  ["constraints", "None stated", 0],
  ["constraints", "Use existing stack", 1],
  ["constraints", "No new deps, <500 LOC", 2],
  ["success", "None stated", 0],
  ["success", "Tests pass", 1],
  ["success", "All tests + manual QA", 2],
  ["done", "Implied", 0],
  ["done", "When it works", 1],
  ["done", "PR merged to main", 2],
];

describe("scoreSpec", () => {
  test.each(CELLS)("in the rubric's own table, %s of “%s” is %i", (dimension, cell, points) => {
    expect(scoreSpec(cell)[dimension]).toBe(points);
  });

  test.each(LADDERS)("%s of “%s” is %i", (dimension, spec, points) => {
    expect(scoreSpec(spec)[dimension]).toBe(points);
  });

  test("the total is the sum of the five", () => {
    const score = scoreSpec("Rename getUser to fetchUser everywhere; tsc has no errors");
    expect(score.total).toBe(DIMENSIONS.reduce((sum, dimension) => sum + score[dimension], 0));
    expect(score.total).toBeGreaterThan(0);
  });

  test("reads headings and labels, with any line ending", () => {
    const lines = [
      "# Task",
      "Split src/store.ts into slices",
      "## Constraints",
      "- no new packages",
      "Done: PR merged",
    ];
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(scoreSpec(lines.join(end))).toMatchObject({
        outcome: 2,
        scope: 2,
        constraints: 2,
        success: 1,
        done: 2,
      });
    }
  });

  test.each(["\n", "\r\n", "\r"])(
    "words under a heading count for what the heading says, lines ended by %j",
    (end) => {
      expect(
        scoreSpec(`Add filters to the report${end}## Constraints${end}- PostgreSQL${end}- single binary`)
          .constraints,
      ).toBe(2);
      expect(scoreSpec(`Add filters to the report${end}- PostgreSQL${end}- single binary`).constraints).toBe(
        0,
      );
    },
  );

  test("a file that must be left alone is no scope", () => {
    expect(scoreSpec("Add filters to the report, do not touch src/export.ts").scope).toBe(1);
  });
});

describe("evidence and questions", () => {
  const specs = [
    "Reduce p95 latency of GET /api/orders below 100ms. Use the existing stack. Tests in `orders` pass. Stop when it works.",
    "Please help with the login bug, users complain",
    "Make `make lint` and `make test` green on Python 3.13. Done when CI is green on the branch.",
    "Shrink the archive to no more than 2 MB. Only scripts/pack.ts may change, Node 18 must keep working.",
    "Keep going until `cargo clippy` is clean in crates/parser, no Redis",
    "Convert src/legacy/*.js to TypeScript, strict mode, no `any`. tsc --noEmit and vitest must pass.",
  ];

  test.each(specs)("every quote stands in the spec: %s", (spec) => {
    const { evidence } = scoreSpec(spec);
    const quotes = DIMENSIONS.flatMap((dimension) =>
      evidence[dimension].map((line) => /^"(.*)": .+$/s.exec(line)?.[1]),
    );
    expect(quotes.length).toBeGreaterThan(0);
    for (const quote of quotes) expect(spec.replaceAll("`", " ")).toContain(quote?.replaceAll("`", " "));
  });

  test.each(specs)("points have evidence, and only points have it: %s", (spec) => {
    const score = scoreSpec(spec);
    for (const dimension of DIMENSIONS)
      expect(score.evidence[dimension].length > 0).toBe(score[dimension] > 0);
  });

  test("words that stand in a longer quote are not quoted again", () => {
    const { evidence } = scoreSpec(
      "Shrink the archive to no more than 2 MB. Only scripts/pack.ts may change, Node 18 must keep working.",
    );
    expect(evidence.outcome).toEqual(['"no more than 2 MB": a measurable target']);
    expect(evidence.constraints).toEqual([
      '"Only scripts/pack.ts may change": a limit to named places',
      '"Node 18 must keep working": an exact version to hold',
    ]);
  });

  test("each weak dimension gets one question, in the spec's words", () => {
    const { questions } = scoreSpec("Fix auth");
    expect(questions).toHaveLength(5);
    expect(questions.every((question) => question.includes("auth") && question.endsWith("?"))).toBe(true);
  });

  test("a full spec raises no question", () => {
    const spec =
      "Fix JWT refresh in /api/auth/token: tokens must stay valid for 24 hours instead of 1. No change to the token payload, no new deps. All auth tests pass and I can log in manually. Done when merged to main.";
    expect(scoreSpec(spec).questions).toEqual([]);
  });
});

describe("vague wishes", () => {
  test.each([
    "make it better",
    "improve performance",
    "clean up the code",
    "Optimize the whole thing",
    "Make everything work properly again, it must be at least as good as before",
    "We really need to modernize all of this within the next weeks",
    "Please make the app nicer, faster and more robust, without breaking anything",
  ])("stay low: %s", (spec) => {
    expect(plainShape(scoreSpec(spec).total)).toBe("intent");
  });

  test("stay below a tool with a check and a must-not", () => {
    const extras = { criteria: [{ name: "tests", hasCheck: true }], mustNots: ["src/api/**"], protects: [] };
    expect(plainShape(scoreSpec("Make it better", extras).total)).toBe("colleague");
  });
});

describe("extras", () => {
  const spec = "Add dark mode to the settings page";

  test("a criterion counts toward success and done", () => {
    const unchecked = { ...NO_EXTRAS, criteria: [{ name: "looks right", hasCheck: false }] };
    expect(scoreSpec(spec, unchecked)).toMatchObject({ constraints: 0, success: 1, done: 1 });
    const checked = {
      ...NO_EXTRAS,
      criteria: [
        { name: "tests", hasCheck: true },
        { name: "contrast", hasCheck: true },
      ],
    };
    expect(scoreSpec(spec, checked)).toMatchObject({ constraints: 0, success: 2, done: 2 });
  });

  test.each(["Fix the rounding in src/price.ts", "Fix src/price.ts"])(
    "a named file, a check and a must-not make a tool: %s",
    (named) => {
      const criteria = [{ name: "tests", hasCheck: true }];
      expect(scoreSpec(named, { ...NO_EXTRAS, criteria, mustNots: ["src/api/**"] }).total).toBe(8);
    },
  );

  test("must-nots and protects count toward constraints", () => {
    expect(scoreSpec(spec, { ...NO_EXTRAS, mustNots: ["src/layout/**"] })).toMatchObject({
      constraints: 2,
      success: 0,
      done: 0,
    });
    expect(scoreSpec(spec, { ...NO_EXTRAS, protects: ["test/**"] }).constraints).toBe(1);
    expect(scoreSpec(spec, { ...NO_EXTRAS, mustNots: [], protects: ["test/**", "lib/**"] }).constraints).toBe(
      2,
    );
  });
});
