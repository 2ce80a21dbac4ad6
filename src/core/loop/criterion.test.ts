import { describe, expect, test } from "vitest";
import { checked, evidenceFor } from "../../../test/support/loop-builders.ts";
import type { Actor } from "../events/event.ts";
import type { Attribution, CommandLine, Criterion, CriterionStatus, Standard } from "./criterion.ts";
import {
  VERIFICATION_TYPES,
  attributionOf,
  describeCommand,
  isCurrent,
  isVoid,
  statusOf,
  strengthOf,
} from "./criterion.ts";

const blank: Criterion = {
  name: "tests",
  check: null,
  attestation: null,
  evidence: null,
  passedAtStart: null,
  failedTree: null,
  isAgents: false,
  proofs: [],
  judgedAgainst: null,
  everMet: false,
};
const withCheck: Criterion = { ...blank, check: checked("tests").check };
const now: Standard = { tree: "tree-0", protectedDigest: null };

describe("the status of a criterion", () => {
  test.each<readonly [title: string, criterion: Criterion, standard: Standard, status: CriterionStatus]>([
    ["with a check that never ran", withCheck, now, "unverified"],
    ["with a passing check", { ...withCheck, evidence: evidenceFor("tests") }, now, "met"],
    [
      "with a failing check",
      { ...withCheck, evidence: evidenceFor("tests", { passed: false }) },
      now,
      "unmet",
    ],
    [
      "with a check that failed on another tree",
      { ...withCheck, evidence: evidenceFor("tests", { passed: false, treeDigest: "tree-9" }) },
      now,
      "unmet",
    ],
    [
      "with a check that passed on another tree",
      { ...withCheck, evidence: evidenceFor("tests", { treeDigest: "tree-9" }) },
      now,
      "unverified",
    ],
    [
      "with a passing check, when nobody looked at the tree",
      { ...withCheck, evidence: evidenceFor("tests") },
      { tree: undefined, protectedDigest: null },
      "met",
    ],
    [
      "with a passing check, when the tree is unknown",
      { ...withCheck, evidence: evidenceFor("tests", { treeDigest: null }) },
      { tree: null, protectedDigest: null },
      "unverified",
    ],
    [
      "with a void pass",
      { ...withCheck, evidence: evidenceFor("tests", { protectedDigest: "altered" }) },
      { tree: "tree-0", protectedDigest: "locked" },
      "unverified",
    ],
    [
      "with a check and only a word",
      { ...withCheck, attestation: { by: "execution output", actor: "agent", note: null, at: 0 } },
      now,
      "unverified",
    ],
    ["without a check and without a word", blank, now, "unverified"],
    [
      "with a word",
      { ...blank, attestation: { by: "code review", actor: "agent", note: null, at: 0 } },
      now,
      "met",
    ],
    [
      "with an assumption",
      { ...blank, attestation: { by: "assumption", actor: "agent", note: null, at: 0 } },
      now,
      "unverified",
    ],
  ])("is known for one %s", (_, criterion, standard, status) => {
    expect(statusOf(criterion, standard)).toBe(status);
  });
});

describe("evidence", () => {
  test("is void after a change of the protected paths, on any tree", () => {
    const evidence = evidenceFor("tests", { protectedDigest: "altered" });

    expect(isVoid(evidence, { tree: undefined, protectedDigest: "locked" })).toBe(true);
    expect(isCurrent(evidence, { tree: undefined, protectedDigest: "locked" })).toBe(false);
    expect(isCurrent(evidence, { tree: "tree-0", protectedDigest: "altered" })).toBe(true);
  });
});

test.each<[Actor, "enough" | "weak"]>([
  ["person", "enough"],
  ["agent", "weak"],
  ["machine", "weak"],
])("only an assumption blocks, and what a %s has seen is %s", (actor, seen) => {
  expect(VERIFICATION_TYPES.map((by) => strengthOf({ by, actor }))).toEqual([
    seen,
    seen,
    seen,
    "weak",
    "weak",
    "blocks",
  ]);
});

test.each<readonly [atStart: boolean | null, passes: boolean | null, attribution: Attribution | null]>([
  [true, true, "clean"],
  [false, true, "fixed"],
  [true, false, "regressed"],
  [false, false, "broken before"],
  [null, true, null],
  [true, null, null],
])("a check that was %s at the start and is %s now reads as %s", (passedAtStart, passes, attribution) => {
  const evidence = passes === null ? null : evidenceFor("tests", { passed: passes });

  expect(attributionOf({ ...withCheck, passedAtStart, evidence })).toBe(attribution);
});

test.each<readonly [CommandLine, string]>([
  [{ kind: "shell", line: "npm test && echo 'ok'" }, "npm test && echo 'ok'"],
  [{ kind: "argv", argv: ["npm", "run", "test:unit", "--reporter=dot"] }, "npm run test:unit --reporter=dot"],
  [{ kind: "argv", argv: ["grep", "two words", ""] }, 'grep "two words" ""'],
  [{ kind: "argv", argv: ["echo", "a\nb", "$HOME"] }, 'echo "a\\nb" "$HOME"'],
])("a command reads as one line: %j", (command, line) => {
  expect(describeCommand(command)).toBe(line);
});
