import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { heldReason, Sandbox } from "./support/sandbox.ts";

/** As `scripts/parts.mjs` writes it. */
interface PartTable {
  readonly names: readonly string[];
  readonly lengths: readonly number[];
  readonly plain: number;
  readonly packs: readonly (readonly [count: number, length: number])[];
  readonly imports: readonly (readonly number[])[];
}

interface Program {
  /** Without their hashes. */
  readonly plainParts: readonly string[];
  /** Everything in it, compressed or not. */
  readonly code: string;
  /** Of the parts that begin with these names, and of all that they import at once. */
  readonly bytesOf: (...entries: readonly string[]) => number;
}

function readProgram(path: string): Program {
  const text = readFileSync(path, "utf8");
  const comment = text.slice(text.indexOf("function PART_TEXTS(){/*") + "function PART_TEXTS(){/*".length);
  const line = comment.indexOf("\n");
  const table = JSON.parse(comment.slice(0, line)) as PartTable;
  let end = line + 1;
  const next = (length: number): string => comment.slice(end, (end += length));
  const texts = [
    ...table.lengths.slice(0, table.plain).map(next),
    ...table.packs.map(([, length]) => unpacked(next(length))),
  ];
  const names = table.names.map(nameOfPart);
  return {
    plainParts: names.slice(0, table.plain),
    code: texts.join("\n"),
    bytesOf: (...entries) => {
      const found = new Set(entries.map((entry) => names.indexOf(entry)));
      for (const part of found) for (const each of table.imports[part] ?? []) found.add(each);
      return [...found].reduce((sum, part) => sum + (table.lengths[part] ?? Number.NaN), 0);
    },
  };
}

function unpacked(text: string): string {
  return brotliDecompressSync(Buffer.from(text, "base64")).toString("latin1");
}

function nameOfPart(name: string): string {
  return name.replace(/^\.\//, "").replace(/(-[A-Z0-9]{8})?\.js.*/, "");
}

const hook = readProgram("dist/hook.js");
const cli = readProgram("dist/cli.js");

/** A property of Unicode that the widths of texts ask for, and nobody else. */
const WIDTH_TABLES = "Extended_Pictographic";

test("the hook, which starts at every stop, does not carry what only a terminal needs", () => {
  expect(cli.code).toContain(WIDTH_TABLES);
  expect(hook.code).not.toContain(WIDTH_TABLES);
});

describe("a program is small, so that it starts soon", () => {
  test("hook.js has at most 408,000 bytes, and a held stop loads at most 405,000 characters of what it unpacks to", () => {
    expect(statSync("dist/hook.js").size).toBeLessThanOrEqual(408_000);
    expect(hook.bytesOf("engine")).toBeLessThanOrEqual(405_000);
  });

  test("cli.js has at most 1,310,000 bytes, of which loop status loads at most 444,000 and loop --help 65,000", () => {
    expect(statSync("dist/cli.js").size).toBeLessThanOrEqual(1_310_000);
    expect(cli.bytesOf("main", "machine", "status")).toBeLessThanOrEqual(444_000);
    expect(cli.bytesOf("main")).toBeLessThanOrEqual(65_000);
  });
});

/** The parts whose compiled code a start has kept are those that it loaded. */
function loadedParts(sandbox: Sandbox): readonly string[] {
  const folder = join(sandbox.home, "state", "loopwright", "compiled");
  return existsSync(folder) ? readdirSync(folder).map(nameOfPart).toSorted() : [];
}

function emptySandbox(): Sandbox {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.home, "state", "loopwright"), { recursive: true });
  return sandbox;
}

test("a stop beside another session's loop loads no engine, unless another hook's loop may be there", () => {
  const sandbox = emptySandbox();
  sandbox.start("s1", "Fix it", "-c", "ok=false", "--shape", "tool");
  const stop = JSON.stringify({ hook_event_name: "Stop", session_id: "s2", cwd: sandbox.root });
  sandbox.spawnHook(stop);
  expect(loadedParts(sandbox)).toEqual([]);
  for (const foreign of [JSON.stringify({ spec: "s", status: "completed" }), "no JSON", "null"]) {
    writeFileSync(join(sandbox.root, ".loop", "state.json"), foreign);
    sandbox.spawnHook(stop);
    expect(loadedParts(sandbox)).toContain("engine");
    rmSync(join(sandbox.home, "state", "loopwright", "compiled"), { recursive: true });
  }
});

test("a held stop needs one part, and what V8 made of it is kept with its text", () => {
  const sandbox = emptySandbox();
  sandbox.start("s1", "Fix it", "-c", "ok=true", "--shape", "tool");
  const stop = JSON.stringify({ hook_event_name: "Stop", session_id: "s1" });
  heldReason(sandbox.spawnHook(stop));
  expect(loadedParts(sandbox)).toEqual(["engine"]);
  heldReason(sandbox.spawnHook(stop));
  expect(loadedParts(sandbox)).toEqual(["engine"]);
});

test("nothing has to be unpacked for loop --help and for loop status", () => {
  const sandbox = emptySandbox();
  sandbox.start("s1", "Fix it", "-c", "ok=true", "--shape", "tool");
  expect(sandbox.spawnLoop("--help").code).toBe(0);
  expect(loadedParts(sandbox)).toEqual(["main"]);
  expect(sandbox.spawnLoop("status").code).toBe(0);
  expect(loadedParts(sandbox)).toEqual(["machine", "main", "status"]);
  expect(cli.plainParts).toEqual(expect.arrayContaining(["main", "machine", "status"]));
});
