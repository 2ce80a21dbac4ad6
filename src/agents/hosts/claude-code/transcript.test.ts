import { expect, test } from "vitest";
import { endsWithAnswer, lastAnswer, queuedPrompts } from "./transcript.ts";

const row = (type: string, ...content: readonly object[]) => JSON.stringify({ type, message: { content } });
const text = (words: string) => ({ type: "text", text: words });
const asked = row("user", text("Go"));
const called = row("assistant", { type: "tool_use", name: "Bash" });
const other = JSON.stringify({ type: "attachment", about: "user" });

test.each<readonly [title: string, rows: readonly string[], answer: string, expected: boolean]>([
  ["the answer is the last row", [asked, row("assistant", text("Done."))], "Done.", true],
  ["rows of nobody's come after it", [asked, row("assistant", text("Done.")), other, "{"], "Done.", true],
  ["of several parts, the last one is there", [row("assistant", text("Two. "))], "One.\nTwo.", true],
  ["of several parts, the last one is missing", [row("assistant", text("One."))], "One.\nTwo.", false],
  ["the same words of an earlier turn", [row("assistant", text("Done.")), asked], "Done.", false],
  ["only the call of a tool is there", [asked, called], "Done.", false],
  ["an answer without words", [row("assistant", text(" "))], "Done.", false],
  ["nothing", [], "Done.", false],
  ["no rows at all", ["null", '"assistant"', "[]"], "Done.", false],
])("whether a transcript ends with the answer is seen where there is: %s", (_, rows, answer, expected) => {
  expect(endsWithAnswer(`${rows.join("\n")}\n`, answer)).toBe(expected);
});

test("the tail of a transcript is read although it begins in the middle of a line", () => {
  expect(endsWithAnswer(`ser","x":1}\n${row("assistant", text("Done."))}`, "Done.")).toBe(true);
});

test.each<readonly [title: string, rows: readonly string[], expected: string | null]>([
  [
    "after the user's prompt",
    [row("assistant", text("Old.")), asked, row("assistant", text("Done."))],
    "Done.",
  ],
  [
    "in several rows",
    [asked, row("assistant", text("One.")), called, row("assistant", text("Two."))],
    "One.\n\nTwo.",
  ],
  ["before a prompt only", [row("assistant", text("Done.")), asked], null],
  ["without words", [asked, called], null],
  ["in a torn row", [asked, '{"type":"assistant","message":{"content":[{"type":"text","text":"Do'], null],
])("what was said: %s", (_, rows, expected) => {
  expect(lastAnswer(`${rows.join("\n")}\n`)).toBe(expected);
});

const queue = (operation: string, content?: string) =>
  JSON.stringify({ type: "queue-operation", operation, ...(content === undefined ? {} : { content }) });

test.each<readonly [title: string, rows: readonly string[], expected: readonly string[]]>([
  ["what was typed", [asked, queue("enqueue", "/loop:pause")], ["/loop:pause"]],
  ["nothing that was taken out", [queue("enqueue", "/loop:pause"), queue("dequeue")], []],
  [
    "the later of two",
    [queue("enqueue", "hello"), queue("enqueue", "/loop:cancel"), queue("dequeue")],
    ["/loop:cancel"],
  ],
  ["nothing that the user took back", [queue("enqueue", "/loop:pause"), queue("popAll")], []],
  [
    "what came after the beginning of a tail",
    [queue("dequeue"), queue("enqueue", "/loop:pause")],
    ["/loop:pause"],
  ],
  [
    "nothing that somebody only wrote about",
    [row("user", text('"queue-operation"')), '{"type":"queue-operation"'],
    [],
  ],
])("the queue holds %s", (_, rows, expected) => {
  expect(queuedPrompts(rows)).toEqual(expected);
});
