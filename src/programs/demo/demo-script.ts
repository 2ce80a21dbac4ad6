import type { Script } from "../../agents/rehearsal/script.ts";
import { FAILING_CASES } from "./sample-project.ts";

function block(done: boolean): string {
  return `\n\n---LOOP_STATUS---\nEXIT_SIGNAL: ${done}\n---END_STATUS---`;
}

/** What the scripted agent does: claims too much, removes the failing tests, then fixes half of it, then all of it. */
export const DEMO_SCRIPT: Script = {
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
