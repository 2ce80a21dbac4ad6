import type { Script } from "../../agents/rehearsal/script.ts";

type Acts = Script["turns"][number]["do"];

function turn(say: string, usd: number, acts: Acts): Script {
  const block = "\n\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
  return {
    repeat: false,
    turns: [
      { do: [{ wait: 500 }, ...acts], say: `${say}${block}`, usd, tokens: { input: 8_000, output: 400 } },
    ],
  };
}

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
export const PLAN_SCRIPTS: { readonly [attempt: string]: Script } = {
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
