import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GitCounter } from "../../../test/support/git-counter.ts";
import { hasIdentity } from "./settings.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-settings-"));
  mkdirSync(join(root, "home"));
  execFileSync("git", ["init", "-q"], { cwd: root });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

async function isSomebody(): Promise<boolean> {
  vi.stubEnv("HOME", join(root, "home"));
  vi.stubEnv("XDG_CONFIG_HOME", "");
  return hasIdentity(root);
}

it("asks git once who commits while the settings stay as they are, also if they name nobody", async () => {
  const counter = new GitCounter();
  expect(await isSomebody()).toBe(false);
  expect(await counter.during(async () => expect(await isSomebody()).toBe(false))).toEqual([]);
  for (const setting of ["name", "email"])
    execFileSync("git", ["config", `user.${setting}`, "somebody@localhost"], { cwd: root });
  expect(await isSomebody()).toBe(true);
  expect(await counter.during(async () => expect(await isSomebody()).toBe(true))).toEqual([]);
});
