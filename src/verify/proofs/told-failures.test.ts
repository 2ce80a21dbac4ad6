import { describe, expect, test } from "vitest";
import { failuresAbout, showsBoth } from "./told-failures.ts";

function pytest(input: string, came: string): string {
  return `____ test_minutes ____

    def test_minutes():
>       assert seconds("${input}") == 750
E       AssertionError: assert ${came} == 750
E        +  where ${came} = seconds('${input}')

test_duration.py:8: AssertionError
1 failed, 2 passed in 0.0${input.length}s
`;
}

describe("what two runs tell of a failure", () => {
  test("is the same where the same came out, whatever else failed and however long it took", () => {
    const now = failuresAbout(pytest("12m31s", "-1"), ["750"], ['assert seconds("12m31s") == 750']);
    const before = `${pytest("12m31s", "-1").replace("0.06s", "4.20s")}\n____ test_hours ____\nE   assert 3 == 4\n`;
    expect(now?.isIn(before)).toBe(true);
  });

  test("is the same where tests that run at once ended in another order", () => {
    const cargo = (progress: readonly string[]): string =>
      `running 4 tests\n${progress.join("\n")}\n\nfailures:\n\nassertion \`left == right\` failed\n  left: "III"\n right: "XIX"\n`;
    const now = failuresAbout(cargo(["four --- FAILED", ". 2/4", "year --- FAILED"]), ["XIX"], []);
    expect(now?.isIn(cargo(["four --- FAILED", "year --- FAILED", ". 3/4"]))).toBe(true);
  });

  test("differs where something else came out", () => {
    const now = failuresAbout(pytest("12m31s", "751"), ["750"], []);
    expect(now?.isIn(pytest("12m31s", "-1"))).toBe(false);
  });

  test("is nothing where the expected value isn't shown", () => {
    expect(failuresAbout("Error: no such unit\n", ["750"], [])).toBeNull();
  });

  test("has one and the same lines for results that don't follow the input", () => {
    const of = (input: string, came: string) =>
      failuresAbout(`shop_test.go:9: Label("${input}") = "${came}", want "GREEN TEA"`, ["GREEN TEA"], []);
    expect(of("green teb", "none")?.lines).toEqual(of("green", "none")?.lines);
    expect(of("green teb", "GREEN TEB")?.lines).not.toEqual(of("green", "GREEN")?.lines);
  });

  test("shows what came out beside another expectation, also where only the difference is marked", () => {
    expect(showsBoth("expected: 'hsffo-ufb'\nactual: 'green-tea'\n", "green-tea", "hsffo-ufb", [])).toBe(
      true,
    );
    expect(showsBoth("expected:<[DN]OS> but was:<[CM]OS>", "CMOS", "DNOS", [])).toBe(true);
    expect(showsBoth("Assertion failed\n", "green-tea", "hsffo-ufb", [])).toBe(false);
  });
});
