import { expect, it } from "vitest";
import { newSuppression } from "./doubts.ts";

it.each([
  ["// @ts-ignore", "@ts-ignore"],
  ["// @ts-nocheck", "@ts-nocheck"],
  ["return value as any;", "as any"],
  ["/* eslint-disable no-unused-vars */", "eslint-disable"],
  ["// eslint-disable-next-line", "eslint-disable-next-line"],
  ["/* eslint eqeqeq: 0 */", "/* eslint eqeqeq:"],
  ["// oxlint-disable", "oxlint-disable"],
  ["// biome-ignore lint: later", "biome-ignore"],
  ["x = 1  # type: ignore[assignment]", "# type: ignore"],
  ["x = 1  # noqa: E501", "# noqa"],
  ["# ruff: noqa", "# ruff: noqa"],
  ["# pylint: disable=all", "pylint: disable=all"],
  ["a() //nolint:errcheck", "//nolint"],
  ["#[allow(dead_code)]", "#[allow(dead_code)]"],
  ["/* c8 ignore next */", "c8 ignore"],
  ["const ignored = 'as anybody';", null],
])("%s", (text, found) => {
  expect(newSuppression("", text)).toBe(found);
  expect(newSuppression(text, text)).toBeNull();
});

it("counts them: one more of the same is new", () => {
  expect(newSuppression("// @ts-ignore\n", "// @ts-ignore\n// @ts-ignore\n")).toBe("@ts-ignore");
  expect(newSuppression("// @ts-ignore\n// @ts-expect-error\n", "// @ts-expect-error\n")).toBeNull();
});
