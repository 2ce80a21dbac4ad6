import { describe, expect, test } from "vitest";
import { isOrdinary, NEIGHBOURS, neighbourOf } from "./neighbours.ts";

function neighboursOf(content: string): readonly string[] {
  return NEIGHBOURS.flatMap((how) => neighbourOf(content, how) ?? []);
}

describe("an input of a test", () => {
  test("has neighbours that keep its form", () => {
    expect(neighbourOf("Green Tea", "one-letter")).toBe("Green Teb");
    expect(neighbourOf("Green Tea", "longer")).toBe("Green Tea Hsffo");
    expect(neighbourOf("a-b-c", "longer")).toBe("a-b-c-b");
    expect(neighbourOf("Green Tea", "other-order")).toBe("Tea Green");
    expect(neighbourOf("3h 15m", "one-digit")).toBe("3h 16m");
    expect(neighbourOf("16", "all-letters")).toBe("25");
    expect(neighbourOf("2.5", "one-digit")).toBe("4.5");
  });

  test("keeps what is written in a way of its own", () => {
    for (const how of NEIGHBOURS)
      expect(neighbourOf(String.raw`one\r\ntwo %s \u00e9`, how) ?? String.raw`\r\n %s \u00e9`).toMatch(
        /\\r\\n.* ?%s.*\\u00e9/,
      );
  });

  test("never becomes itself, nothing, or too large a number", () => {
    for (const content of ["a b", "level", "7", "1900", "2000000000", "12m30s", "ÄÖ", "a.b.c"]) {
      const others = neighboursOf(content);
      expect(others.length).toBeGreaterThan(2);
      expect(others).not.toContain(content);
      expect(others).not.toContain("");
      for (const other of others) expect(Number(other)).not.toBeGreaterThan(2_000_000_000);
    }
  });

  test.each(["", "0", "1", "x", "--", "a b", "99999999999"])("says nothing where it is %j", (content) => {
    expect(isOrdinary(content)).toBe(false);
  });

  test.each(["2", "49", "tea", "a, bc", "12:30"])("may say something where it is %j", (content) => {
    expect(isOrdinary(content)).toBe(true);
  });
});
