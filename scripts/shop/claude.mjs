// Plays Claude Code in the shop: takes the next turn of `turns.json`, and prints what the real client prints in headless mode.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TURNS = {
  claim: { say: "I looked at the cart and everything works now. All done!", usd: 0.04 },
  cheat: {
    act: () => replace("test/cart.test.js", /^.*several.*\n/m, ""),
    say: "One test was outdated, so I removed it. Everything passes now!",
    usd: 0.05,
  },
  fix: {
    act: () => {
      execFileSync("git", ["checkout", "--quiet", "--", "test"]);
      replace("src/cart.js", "item.price;", "item.price * item.quantity;");
    },
    say: "total() multiplies by the quantity now. The tests pass.",
    usd: 0.06,
  },
};

const SESSION = "5f0c1f57-4a53-4d0a-9c6f-5f0a7e110b8e";
const STATUS = "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";

const path = join(homedir(), "turns.json");
const [name, ...later] = JSON.parse(readFileSync(path, "utf8"));
writeFileSync(path, JSON.stringify(later));
const { act, say, usd } = TURNS[name];

print({ type: "system", subtype: "init", cwd: process.cwd(), model: "played" });
await sleep(400);
act?.();
const text = `${say}\n${STATUS}`;
const usage = { input_tokens: 8_000, output_tokens: 300 };
print({
  type: "assistant",
  message: { id: `msg_${name}`, model: "played", content: [{ type: "text", text }], usage },
});
print({
  type: "result",
  subtype: "success",
  is_error: false,
  num_turns: 1,
  result: text,
  total_cost_usd: usd,
  usage,
});

function replace(file, from, to) {
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
}

function print(message) {
  process.stdout.write(`${JSON.stringify({ ...message, session_id: SESSION })}\n`);
}
