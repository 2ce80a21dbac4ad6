import { expect, test } from "vitest";
import { expectCode, PlanStage } from "./support/plan-stage.ts";
import { DONE } from "./support/driven.ts";

const FILES = {
  "src/shop.py": "def total(prices):\n    return 0\n\ndef name():\n    return 'shop'\n",
  "tests/test_shop.py": [
    "import unittest",
    "import shop",
    "class Shop(unittest.TestCase):",
    "    def test_name(self):",
    "        self.assertEqual(shop.name(), 'shop')",
    "    def test_total(self):",
    "        self.assertEqual(shop.total([1, 2]), 3)",
    "",
  ].join("\n"),
};
const FIXES = {
  "T-001": [
    {
      do: [{ write: "src/shop.py", text: FILES["src/shop.py"].replace("return 0", "return sum(prices)") }],
      say: DONE,
    },
  ],
};
const TESTS = "python3 -m unittest discover -s tests -v";

function planOf(check: string): string {
  return `# A plan\n\n### T-001: Mend total\nverify: ${check}\n`;
}

test("tests that are of another checkout are told before anybody is paid, with what mends it", () => {
  const stage = new PlanStage("", FILES);
  const shared = `env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=${stage.root}/src ${TESTS}`;
  stage.writePlan(planOf(shared));
  const ran = stage.work(FIXES, "--no-model", "--iterations", "1");

  expectCode(ran, 3);
  const [before = ""] = ran.out.split("▸ T-001");
  expect(before).toContain(
    "The tests of T-001 pass as before although every source file of a worktree is broken: they test another checkout",
  );
  expect(before).toContain("put env PYTHONPATH=src before its command");
});

test("tests that see the worktree they run in notice, and nothing is said", () => {
  const stage = new PlanStage(planOf(`env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src ${TESTS}`), FILES);
  const ran = stage.work(FIXES, "--no-model");

  expectCode(ran, 0);
  expect(ran.out).not.toContain("another checkout");
});
