import { expect, test } from "vitest";
import { DONE, saying, Stage } from "./support/driven.ts";
import type { PlayedTurn } from "./support/driven.ts";

const FILES = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "test/add.test.js":
    'import { test } from "node:test";\nimport assert from "node:assert";\nimport { add } from "../src/add.js";\ntest("add", () => assert.equal(add(2, 3), 5));\n',
};
const SPEC = `Fix add() in src/add.js.

Success criteria:
- npm test passes
- CHANGELOG.md mentions the fix
- the README documents add()
`;
const fixed = (say: string): PlayedTurn => ({
  do: [{ write: "src/add.js", text: "export const add = (a, b) => a + b;\n" }],
  say,
  usd: 0.01,
});

interface Shown {
  readonly criteria: readonly { readonly name: string; readonly check: string | null }[];
}

function criteriaOf(stage: Stage): readonly string[] {
  const { loops } = JSON.parse(stage.loop("status", "--json", "--all").out) as {
    readonly loops: readonly Shown[];
  };
  return (loops[0]?.criteria ?? []).map(({ name, check }) => `${name}: ${check ?? "-"}`);
}

const LISTED = [
  "npm test passes: npm run test",
  "CHANGELOG.md mentions the fix: -",
  "the README documents add(): -",
];

test("what a spec file lists is a criterion of a plain run, and never satisfied without a check", () => {
  const stage = new Stage({ ...FILES, "spec.md": SPEC });
  const run = (say: string) =>
    stage.loop("run", "-f", "spec.md", "--script", stage.script([fixed(say)], true), "--iterations", "2");
  const silent = run(DONE);
  expect(silent.code).not.toBe(0);
  expect(silent.out).not.toContain("All success criteria");
  expect(criteriaOf(stage)).toEqual(LISTED);
  expect(silent.err).toContain('No check for "CHANGELOG.md mentions the fix", "the README documents add()"');
});

test("an agent's word for one of them doesn't make it all of them", () => {
  const stage = new Stage({ ...FILES, "spec.md": SPEC });
  const claims = { "CHANGELOG.md mentions the fix": true, "the README documents add()": true };
  const say = saying("All done.", "EXIT_SIGNAL: true", `CRITERIA: ${JSON.stringify(claims)}`);
  const ran = stage.loop("run", "-f", "spec.md", "--script", stage.script([fixed(say)]));
  expect(ran.code).toBe(6);
  expect(ran.out).toContain("Finished, but not all of it is shown: 2 of 3 criteria rest on somebody's word.");
  expect(ran.out).toContain("- npm test passes: ✓");
  expect(ran.out).toContain("- CHANGELOG.md mentions the fix: ○ not shown (the agent's reasoned inference)");
  expect(ran.out).not.toContain("All success criteria");
});

test("the same for steps, for requirements, and for a loop that `loop start` opens", () => {
  const stage = new Stage(FILES);
  const spec =
    "Fix add() in src/add.js.\n\n## Requirements\n1. No new dependencies.\n2. `npm test` passes and the README documents add()\n\n## Steps\n- [ ] Fix add()\n- [ ] Mention it in CHANGELOG.md,\n  with its date\n";
  stage.loop("start", spec);
  expect(criteriaOf(stage)).toEqual([
    "`npm test` passes: npm run test",
    "the README documents add(): -",
    "Fix add(): -",
    "Mention it in CHANGELOG.md, with its date: -",
  ]);
});

test("a criterion that was given and is listed, too, is one", () => {
  const stage = new Stage(FILES);
  stage.loop("start", SPEC, "-c", "green=npm test", "-c", "the README documents add()=grep -q add README.md");
  expect(criteriaOf(stage)).toEqual([
    "green: npm test",
    "the README documents add(): grep -q add README.md",
    "CHANGELOG.md mentions the fix: -",
  ]);
});
