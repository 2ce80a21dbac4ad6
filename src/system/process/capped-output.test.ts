import { describe, expect, it } from "vitest";
import { createCappedOutput } from "./collect-output.ts";

function collect(limit: number, chunks: readonly (string | Buffer)[]) {
  const output = createCappedOutput(limit);
  for (const chunk of chunks) output.append(Buffer.from(chunk as string));
  return { parts: output.parts(), leftOut: output.leftOutBytes() };
}

const digits = Array.from({ length: 100 }, (_, index) => String(index % 10)).join("");

describe("createCappedOutput", () => {
  it.each([1, 3, 7, 16, 32, 33, 100])("gives back what fits, in chunks of %i", (size) => {
    const text = digits.slice(0, 32);
    const chunks = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    expect(collect(32, chunks)).toEqual({ parts: [text], leftOut: 0 });
  });

  it.each([1, 3, 7, 30, 31, 33, 100])("keeps a little of the start and the end, in chunks of %i", (size) => {
    const chunks = digits.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    expect(collect(32, chunks)).toEqual({
      parts: [digits.slice(0, 2), digits.slice(-30)],
      leftOut: 68,
    });
  });

  it("leaves out whole characters", () => {
    const { parts, leftOut } = collect(32, ["a", "€".repeat(40)]);
    expect(parts).toEqual(["a", "€".repeat(10)]);
    expect(leftOut).toBe(90);
    expect(collect(33, ["a", "€".repeat(40)]).parts).toEqual(["a", "€".repeat(10)]);
  });

  it("is empty when nothing came", () => {
    expect(collect(32, [])).toEqual({ parts: [""], leftOut: 0 });
  });
});
