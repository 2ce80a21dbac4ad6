import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { growingFile } from "./artifacts.ts";

function place(): { readonly folder: string; readonly path: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-growing-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, "rows.jsonl") };
}

/** One that knows all its lines. */
function grower(path: string): (line: string) => Promise<void> {
  let all = "";
  const file = growingFile(path, async () => all);
  return async (line) => {
    all += line;
    await file.grow(line);
  };
}

test("of two that write the same file, it is the whole of the one that wrote last", async () => {
  const { path } = place();
  const [one, other] = [grower(path), grower(path)];
  await one("1 a\n");
  await one("1 b\n");
  await other("2 a\n");
  expect(readFileSync(path, "utf8")).toBe("2 a\n");
  await one("1 c\n");
  expect(readFileSync(path, "utf8")).toBe("1 a\n1 b\n1 c\n");
  await one("1 d\n");
  expect(readFileSync(path, "utf8")).toBe("1 a\n1 b\n1 c\n1 d\n");
  await other("");
  expect(readFileSync(path, "utf8")).toBe("2 a\n");
});

test.each<[string, (path: string) => void]>([
  ["deleted", (path) => rmSync(path)],
  ["edited", (path) => writeFileSync(path, "mine\n")],
  ["added to", (path) => writeFileSync(path, "mine\n", { flag: "a" })],
])("what was %s is made again", async (_, damage) => {
  const { path } = place();
  const grow = grower(path);
  await grow("a\n");
  damage(path);
  await grow("ü\n");
  await grow("c\n");
  expect(readFileSync(path, "utf8")).toBe("a\nü\nc\n");
});

test("a link in its place is replaced, and what it leads to left alone", async () => {
  const { folder, path } = place();
  const grow = grower(path);
  await grow("a\n");
  rmSync(path);
  writeFileSync(join(folder, "mine"), "a\n");
  symlinkSync(join(folder, "mine"), path);
  await grow("b\n");
  expect(readFileSync(path, "utf8")).toBe("a\nb\n");
  expect(readFileSync(join(folder, "mine"), "utf8")).toBe("a\n");
});

test("what cannot be written is said", async () => {
  const { path } = place();
  mkdirSync(path);
  await expect(grower(path)("a\n")).rejects.toThrow(/EISDIR|EPERM|EEXIST/);
});
