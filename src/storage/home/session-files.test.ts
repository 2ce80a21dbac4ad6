import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import { findPermit, grantPermit } from "./session-files.ts";
import { sessionPath } from "./state-home.ts";

const SESSION = parseSessionId("s1") as SessionId;

/** What is kept of a command that was typed, and how many bytes that takes. */
function keptOf(args: string): { readonly args: string | undefined; readonly bytes: number } {
  const home = mkdtempSync(join(tmpdir(), "loopwright-permit-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  grantPermit(home, SESSION, { command: "start", args, at: 0, promptId: null });
  return {
    args: findPermit(home, SESSION, 1)?.args,
    bytes: statSync(sessionPath(home, SESSION, "permit")).size,
  };
}

test("what a command line can have is kept of a typed command word for word", () => {
  const args = `--iterations=50 ${"Fix total().\n".repeat(5_000)}--budget=25`;
  expect(keptOf(args).args).toBe(args);
});

test("of a prompt of many megabytes the first words are kept, and no half of a flag", () => {
  const kept = keptOf(`--iterations=50 ${"x ".repeat(65_525)}--budget=2500 ${"x ".repeat(4_000_000)}`);
  expect(kept.bytes).toBeLessThan(200_000);
  expect(kept.args).toMatch(/^--iterations=50 x /);
  expect(kept.args).toMatch(/ x$/);
  expect(keptOf("x".repeat(8_000_000)).args).toBe("");
});
