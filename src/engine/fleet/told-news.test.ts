import { expect, it } from "vitest";
import type { Loop } from "../../core/loop/loop.ts";
import { readToldNews } from "./told-news.ts";

const LOOP = { id: "shop" } as unknown as Loop;

it.each([
  ["what an agent says", { type: "seen", agentEvent: { type: "said", text: "Hello" }, usd: null }],
  ["a tool", { type: "seen", agentEvent: { type: "used", tool: "Bash", detail: "ls" }, usd: 0.2 }],
  ["a check", { type: "checked", name: "tests pass", passed: true }],
])("%s is told as it is", (_, news) => {
  expect(readToldNews(news, null)).toEqual(news);
});

it("news of a loop has the loop of its journal, and not one that its worker names", () => {
  const judged = { type: "judged", verdict: { type: "hold" }, loop: { id: "another" } };
  expect(readToldNews(judged, LOOP)).toEqual({ type: "judged", verdict: { type: "hold" }, loop: LOOP });
  expect(readToldNews(judged, null)).toBeNull();
});

it.each([
  ["nothing", null],
  ["a text", "seen"],
  ["a kind that nobody knows", { type: "exec", command: "id" }],
  ["a turn without an id", { type: "launched", turn: {} }],
  ["a tool that is no text", { type: "seen", agentEvent: { type: "used", tool: {}, detail: [] }, usd: 0 }],
  ["costs below nothing", { type: "seen", agentEvent: { type: "said", text: "x" }, usd: -5 }],
  ["a time that is no number", { type: "waiting", until: "soon", detail: "" }],
])("%s is told to nobody", (_, news) => {
  expect(readToldNews(news, LOOP)).toBeNull();
});
