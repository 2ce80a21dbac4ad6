import { lstatSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSeenFiles } from "./file-version.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-seen-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function write(text: string): void {
  writeFileSync(join(folder, "file"), text);
}

/** A look some time after what happened last; the times that a file has, nobody can set. */
function look(text: string): "read" | "known" {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 });
  const seen = openSeenFiles(join(folder, "seen"));
  let outcome: "read" | "known" = "known";
  const found = lstatSync(join(folder, "file"), { bigint: true });
  const told = seen.recall("file", found, () => {
    outcome = "read";
    return text;
  });
  expect(told).toBe(text);
  seen.keep();
  return outcome;
}

it("a cache of digests reads a file once while it looks the same", () => {
  write("one");
  expect(look("one")).toBe("read");
  expect(look("one")).toBe("known");
});

it.each<[string, () => void]>([
  ["of another size", () => write("longer")],
  ["of the same size", () => write("two")],
  ["with its time set back", () => (write("two"), utimesSync(join(folder, "file"), 1, 1))],
  ["in the place of another", () => (rmSync(join(folder, "file")), write("two"))],
])("a cache of digests reads a file again that is %s", (_, act) => {
  write("one");
  utimesSync(join(folder, "file"), 1, 1);
  look("one");
  act();
  expect(look("other")).toBe("read");
});

it("a cache of digests does not trust the look of a file that has just changed", () => {
  write("one");
  const found = lstatSync(join(folder, "file"), { bigint: true });
  const seen = openSeenFiles(join(folder, "seen"));
  seen.recall("file", found, () => "one");
  seen.keep();
  expect(look("two")).toBe("read");
});

it("a cache of digests forgets what it did not come across, and takes a damaged list for none", () => {
  write("one");
  look("one");
  const seen = openSeenFiles(join(folder, "seen"));
  seen.keep();
  expect(look("one")).toBe("read");
  writeFileSync(join(folder, "seen"), "file");
  expect(look("one")).toBe("read");
});
