import { expect, test } from "vitest";
import { changedWords, parseShown } from "./shown-text.ts";

test("characters that nobody sees are named, wherever they are", () => {
  const hidden = "a\u00adb\u061cc\u200bd\u202ee\u2028f\u{e0041}g\ufffbh";
  expect(parseShown(JSON.stringify({ name: hidden, list: [hidden] }))).toEqual({
    name: "a[U+00AD]b[U+061C]c[U+200B]d[U+202E]e[U+2028]f[U+E0041]g[U+FFFB]h",
    list: ["a[U+00AD]b[U+061C]c[U+200B]d[U+202E]e[U+2028]f[U+E0041]g[U+FFFB]h"],
  });
  expect(parseShown('{"name":"ünïcödé 👍 日本"}')).toEqual({ name: "ünïcödé 👍 日本" });
});

test("of a changed number, all of it is marked", () => {
  const marked = changedWords("vat(2.5, 5), 0.13)", "vat(2.5, 5), 0.12)");
  expect(marked?.before.filter(({ isChanged }) => isChanged)).toEqual([{ text: "0.13", isChanged: true }]);
  expect(marked?.after.filter(({ isChanged }) => isChanged)).toEqual([{ text: "0.12", isChanged: true }]);
});
