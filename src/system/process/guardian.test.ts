import { expect, it } from "vitest";
import { parseMessage } from "./guardian.ts";

it.each([
  ["+4711", { type: "started", leader: 4711 }],
  ["-4711", { type: "ended", leader: 4711 }],
  ['~"/tmp/a folder"', { type: "folder", path: "/tmp/a folder" }],
  [String.raw`~"/tmp/a\nb"`, { type: "folder", path: "/tmp/a\nb" }],
  ["=run-4711", { type: "run", runId: "run-4711" }],
  ["=", { type: "run", runId: "" }],
  ["bye", { type: "dismissed" }],
])("a guardian understands its owner: %j", (line, message) => {
  expect(parseMessage(line)).toEqual(message);
});

it.each([
  "+1",
  "+0",
  "+-5",
  "-1",
  "+",
  "4711",
  "+4711 ",
  "+99999999999",
  "bye bye",
  "",
  "~",
  "~/tmp",
  '~"relative"',
  '~["/tmp"]',
  "=a b",
  "==a",
])("a guardian takes nothing else for a message: %j", (line) => {
  expect(parseMessage(line)).toBeNull();
});
