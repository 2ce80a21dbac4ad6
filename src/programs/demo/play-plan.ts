import type { Loop } from "../../core/loop/loop.ts";
import { attemptChoice } from "../../engine/plan/envelope.ts";
import { gitWorkspace } from "../../engine/plan/git-workspace.ts";
import { localExecutor } from "../../engine/plan/local-executor.ts";
import { driveScene, openScene, scriptsIn, testOf, turn, type Acts, type PlanDemo } from "./plan-scene.ts";
import { onStage } from "./stage.ts";
import type { Script } from "../../agents/rehearsal/script.ts";

/** Plays a whole plan on a sample project: real worktrees, merges and checks. Only the agents are played. */
export async function playPlanDemo(demo: PlanDemo): Promise<Loop> {
  return onStage(demo, PLAN_FILES, async (machine, stage) => {
    const choice = scriptsIn(stage, PLAN_SCRIPTS);
    const chosen = await openScene(machine, {
      spec: "Make the cart of the corner shop right",
      plan: DEMO_PLAN,
      parallel: 2,
      attemptUsd: null,
    });
    demo.onLoop(chosen);
    const { project } = chosen.live;
    const how = { setup: null, copies: [], diskBytes: Number.POSITIVE_INFINITY };
    const workspace = gitWorkspace({ machine, project, loop: chosen.id, folder: "", how });
    const choiceFor: Parameters<typeof localExecutor>[0]["choiceFor"] = (envelope) =>
      attemptChoice(choice, envelope);
    const executor = localExecutor({ machine, project, cli: demo.cli, workspace, choiceFor });
    return driveScene(machine, chosen, { demo, choice, executor, workspace });
  });
}

const TOTAL = `import { total } from "../src/cart.js";`;

const DEMO_PLAN = `# Make the cart of the corner shop right

### T-001: Multiply by the quantity
verify: node test/quantity.test.js

### T-002: Give 10% off orders of 100 or more
verify: node test/discount.test.js

### T-003: Refuse items without a name
blocked by: T-001, T-002
verify: node test/names.test.js

### T-004: Print a receipt with shipping
blocked by: T-001, T-002
verify: node test/receipt.test.js
`;

/** A small shop, a plan for it, and tests that know when each task is done. */
const PLAN_FILES: { readonly [path: string]: string } = {
  "PLAN.md": DEMO_PLAN,
  "package.json": `${JSON.stringify({ name: "corner-shop", private: true, type: "module" }, null, 2)}\n`,
  "src/cart.js": `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}
`,
  "test/quantity.test.js": testOf(TOTAL, `total([{ name: "tea", price: 3, quantity: 4 }])`, "12"),
  "test/discount.test.js": testOf(TOTAL, `total([{ name: "kettle", price: 120, quantity: 1 }])`, "108"),
  "test/names.test.js": testOf(TOTAL, "total([{ price: 3, quantity: 1 }])", `"An item without a name"`),
  "test/receipt.test.js": testOf(
    `import { receipt } from "../src/receipt.js";`,
    `receipt([{ name: "tea", price: 3, quantity: 4 }])`,
    `"Total 17.00"`,
  ),
};

/** Goes on once another task is on the branch, so that both have worked on the same commit. Not forever. */
function onceMerged(task: string): Acts[number] {
  const isMerged = `git log --branches='loop/*' --format='%(trailers:key=Loop-Task,valueonly)' | grep -q ${task}`;
  return { run: `for i in $(seq 100); do ${isMerged} && break; sleep 0.1; done` };
}

const SUM = "sum += item.price;";
const TIMES = "sum += item.price * item.quantity;";
const RETURN = "return sum;";
const REBATE = "return sum >= 100 ? sum * 0.9 : sum;";

const RECEIPT = `import { total } from "./cart.js";

export function receipt(items) {
  const all = [...items, { price: 5, quantity: 1 }];
  return \`Total \${total(all).toFixed(2)}\`;
}
`;

/** What the played agents do, by task and attempt. */
const PLAN_SCRIPTS: { readonly [attempt: string]: Script } = {
  "T-001": turn("The quantity is multiplied in now.", 0.04, [{ edit: "src/cart.js", from: SUM, to: TIMES }]),
  "T-002": turn("Ten per cent off from 100 on; its test passes.", 0.05, [
    { edit: "src/cart.js", from: RETURN, to: REBATE },
    onceMerged("T-001"),
  ]),
  "T-002-2": turn("Both changes are wanted: I kept the quantity and the discount.", 0.03, [
    {
      write: "src/cart.js",
      text: `export function total(items) {\n  let sum = 0;\n  for (const item of items) ${TIMES}\n  ${REBATE}\n}\n`,
    },
  ]),
  "T-003": turn("An item without a name is refused.", 0.04, [
    {
      edit: "src/cart.js",
      from: "  let sum = 0;",
      to: `  if (items.some((item) => !item.name)) throw new Error("An item without a name");\n  let sum = 0;`,
    },
  ]),
  "T-004": turn("The receipt adds shipping as one more item; its test passes.", 0.05, [
    { write: "src/receipt.js", text: RECEIPT },
    onceMerged("T-003"),
  ]),
  "T-004-2": turn("The item for shipping had no name; now it has one.", 0.03, [
    { edit: "src/receipt.js", from: "{ price: 5,", to: '{ name: "Shipping", price: 5,' },
  ]),
};
