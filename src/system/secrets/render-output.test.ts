import { describe, expect, it } from "vitest";
import { createCappedOutput } from "../process/capped-output.ts";
import { redactorOf, renderOutput } from "./redact.ts";

function render(text: string, secret: string, limit: number): string {
  const output = createCappedOutput(limit);
  output.append(Buffer.from(text));
  return renderOutput(output, redactorOf([{ name: "KEY", value: secret }]));
}

describe("renderOutput", () => {
  it("says on a line of its own how much was left out", () => {
    expect(render(`ab${"-".repeat(50)}${"z".repeat(30)}`, "unused", 32)).toBe(
      `ab\n[… 50 bytes left out …]\n${"z".repeat(30)}`,
    );
  });

  it("shows no piece of a secret that was cut in two", () => {
    const secret = "0123456789abcdef";
    const text = `${"x".repeat(10)}${secret}${"-".repeat(300)}${secret}${"y".repeat(235)}`;
    const rendered = render(text, secret, 256);
    expect(rendered).toBe(
      `${"x".repeat(10)}[KEY withheld]\n[… 321 bytes left out …]\n[KEY withheld]${"y".repeat(235)}`,
    );
  });

  it("shows no beginning of a token that was cut in two", () => {
    const text = `token ghp_${"a1".repeat(40)}${"-".repeat(300)}`;
    expect(render(text, "unused", 256)).toMatch(/^token \[token withheld\]\n/);
  });
});
