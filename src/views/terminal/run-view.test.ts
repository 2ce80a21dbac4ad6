import { expect, test } from "vitest";
import { checked, loopWith, ran } from "../../../test/support/loop-builders.ts";
import type { AgentEvent } from "../../agents/drivers/driver.ts";
import type { RunNews } from "../news/news.ts";
import { displayWidth } from "../../system/text/display-width.ts";
import { createTerminal } from "./terminal.ts";
import { plainView } from "./run-view.ts";

const LOOP = loopWith({ goal: { criteria: [checked("tests")] } });
const BEGAN: RunNews = {
  type: "began",
  loop: LOOP,
  agent: "Codex",
  permits: "edit files here",
  hasRules: false,
  resumed: false,
};
const HANDED_BACK = { type: "let-go", because: "handed-back", iteration: 1 } as const;

function shownOf(news: readonly RunNews[], columns?: number): readonly string[] {
  const printed: string[] = [];
  const streams = { stdin: {}, stdout: { write: () => {} }, stderr: { write: () => {} } };
  const terminal = {
    ...createTerminal({ NO_COLOR: "1" }, streams),
    print: (text: string) => void printed.push(...text.split("\n")),
    ...(columns === undefined ? {} : { isInteractive: true, width: columns }),
  };
  const view = plainView(terminal, { verbose: false, now: () => 0 });
  for (const each of news) view(each);
  return printed;
}

function seen(agentEvent: AgentEvent): RunNews {
  return { type: "seen", agentEvent, usd: null };
}

test("an iteration tells what the agent claimed, what failed, and its first telling line", () => {
  const output = "> test\n\n  expected 12, got 3\nmore\n";
  const loop = loopWith(
    { goal: { criteria: [checked("tests")] } },
    ran("tests", { passed: false, ending: "failed with exit code 1", outputTail: output }),
  );
  const lines = shownOf([
    seen({ type: "said", text: "I look around." }),
    seen({
      type: "said",
      text: "All of it works.\n\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---",
    }),
    { type: "judged", loop, verdict: HANDED_BACK },
  ]);
  expect(lines).toEqual([
    "agent › All of it works.",
    "  ✗ tests  failed with exit code 1",
    "    tests: expected 12, got 3",
  ]);
});

test("what the agent may do is one line at the start, with the flags that it takes", () => {
  const may = "[LOOP] Codex may edit files here. Change that with";
  expect(shownOf([BEGAN])[1]).toBe(`${may} --permission-mode.`);
  expect(shownOf([{ ...BEGAN, hasRules: true }])[1]).toBe(`${may} --allow or --permission-mode.`);
});

test("an agent that cannot reach its service is told of at once, and once a turn", () => {
  const retrying = seen({ type: "retrying", detail: "connection refused" });
  const told = "[LOOP] Codex has trouble and retries by itself: connection refused";
  expect(shownOf([BEGAN, retrying, retrying]).slice(2)).toEqual([told]);
});

test("before a person every line of ours fits, and no word is broken; in a log each is one line", () => {
  const waiting: RunNews = {
    type: "waiting",
    loop: LOOP,
    until: 60_000,
    detail: "You have hit your limit, which is over at some time in the afternoon",
  };
  const [whole = ""] = shownOf([waiting]);
  const lines = shownOf([waiting], 40);
  expect(lines.every((line) => displayWidth(line) <= 40)).toBe(true);
  expect(lines.map((line) => line.trim()).join(" ")).toBe(whole);
});
