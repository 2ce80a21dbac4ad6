import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setLimits } from "../../engine/opening/limits.ts";
import type { Check } from "../../core/loop/criterion.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { rehearsalOf } from "../../engine/run/agent-choice.ts";
import { driveLoop } from "../../engine/run/drive.ts";
import type { RunNews } from "../../views/news/news.ts";
import { openAndLook } from "../../engine/opening/open-loop.ts";
import { onStage, type DemoStage } from "./stage.ts";
import type { Script } from "../../agents/rehearsal/script.ts";

export const DEMO_SPEC =
  "Fix total() in src/cart.js: quantities and the discount (10% off orders of 100 or more) are ignored. All tests pass, no TODO is left.";

export const DEMO_CHECKS = [
  ["tests pass", "npm test --silent"],
  ["no TODO left", "test -e src && ! grep -rn TODO src"],
] as const;

interface Demo extends DemoStage {
  readonly tell: (news: RunNews) => void;
}

/**
 * Plays a whole loop on a sample project with real git, checks, engine and state. Only the agent is scripted, because a real
 * one would need a key.
 */
export async function playDemo(demo: Demo): Promise<Loop> {
  return onStage(demo, SAMPLE_FILES, async (machine, stage) => play(machine, stage, demo));
}

async function play(machine: Machine, stage: string, { cli, interrupts, tell }: Demo): Promise<Loop> {
  const script = join(stage, "script.json");
  writeFileSync(script, JSON.stringify(DEMO_SCRIPT));
  const loop = await openAndLook(machine, {
    kind: "plain",
    spec: DEMO_SPEC,
    criteria: DEMO_CHECKS.map(([name, line]) => ({ name, check: shellCheck(line) })),
    steps: [],
    mustNots: [],
    protects: [],
    exitRule: "criteria",
    mode: "loop",
    shape: null,
    limits: setLimits({}, {}, null),
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    binding: null,
  });
  return driveLoop(machine, loop, {
    choice: rehearsalOf(script),
    cli,
    interrupts,
    person: null,
    tell,
  });
}

function shellCheck(line: string): Check {
  return { command: { kind: "shell", line }, timeoutMs: 30_000, passEnv: [] };
}

const CART = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum; // TODO discount
}
`;

/** The lines of the test that the cart fails. */
const FAILING_CASES = `  ["several of one", [{ price: 3, quantity: 4 }], 12],
  ["10% off orders of 100 or more", [{ price: 30, quantity: 4 }], 108],
`;

const TESTS = `import { total } from "../src/cart.js";

const cases = [
  ["one of each", [{ price: 3, quantity: 1 }, { price: 4, quantity: 1 }], 7],
${FAILING_CASES}];

for (const [name, items, expected] of cases) {
  const found = total(items);
  console.log(found === expected ? \`ok     \${name}\` : \`FAILED \${name}: expected \${expected}, got \${found}\`);
  if (found !== expected) process.exitCode = 1;
}
`;

/** A small shop whose cart forgets quantities and discounts, and a test that knows. */
const SAMPLE_FILES: { readonly [path: string]: string } = {
  "package.json": `${JSON.stringify({ name: "corner-shop", private: true, type: "module", scripts: { test: "node test/cart.test.js" } }, null, 2)}\n`,
  "src/cart.js": CART,
  "test/cart.test.js": TESTS,
};

function block(done: boolean): string {
  return `\n\n---LOOP_STATUS---\nEXIT_SIGNAL: ${done}\n---END_STATUS---`;
}

/** What the scripted agent does: claims too much, removes the failing tests, then fixes half of it, then all of it. */
const DEMO_SCRIPT: Script = {
  repeat: false,
  turns: [
    {
      do: [{ wait: 600 }],
      say: `I looked at the cart and everything works now. All done!${block(true)}`,
      usd: 0.04,
      tokens: { input: 8_000, output: 300 },
    },
    {
      do: [
        { wait: 600 },
        { edit: "test/cart.test.js", from: FAILING_CASES, to: "" },
        { edit: "src/cart.js", from: "return sum; // TODO discount", to: "return sum;" },
        { run: "npm test --silent" },
      ],
      say: `Two test cases were outdated, so I removed them. Everything passes now!${block(true)}`,
      usd: 0.05,
      tokens: { input: 9_500, output: 350 },
    },
    {
      do: [
        { wait: 600 },
        { run: "git checkout --quiet -- test" },
        { edit: "src/cart.js", from: "item.price;", to: "item.price * item.quantity;" },
        { run: "npm test --silent" },
      ],
      say: `I restored the tests. The total ignored the quantity; now it doesn't. The discount is next.${block(false)}`,
      usd: 0.05,
      tokens: { input: 10_400, output: 420 },
    },
    {
      do: [
        { wait: 600 },
        {
          edit: "src/cart.js",
          from: "return sum;",
          to: "return sum >= 100 ? sum * 0.9 : sum;",
        },
        { run: "npm test --silent" },
      ],
      say: `Added the 10% discount on orders of 100 or more. All tests pass.${block(true)}`,
      usd: 0.06,
      tokens: { input: 11_200, output: 480 },
    },
  ],
};
