import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { compiledCodeIn, type KeptCode } from "./compiled-code.ts";

const SOURCE = "[(function(){return 1})]";
const COMPILED = { script: new Script(SOURCE), text: SOURCE };

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "loopwright-compiled-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

/** Ends the process as far as those who wait for its end can tell. */
function end(): void {
  const others = new Set(before);
  for (const listener of process.listeners("exit"))
    if (!others.has(listener)) {
      listener.call(process, 0);
      process.removeListener("exit", listener);
    }
}

const before = process.listeners("exit");

function keep(entry = "./main.js", digest = "1a"): void {
  compiledCodeIn(home, { keeps: true }).keepAtEnd({ entry, digest }, COMPILED);
  end();
}

function found(entry = "./main.js", digest = "1a"): KeptCode | undefined {
  return compiledCodeIn(home, { keeps: true }).find({ entry, digest });
}

function keptFile(): string {
  const [name = ""] = readdirSync(join(home, "compiled"));
  return join(home, "compiled", name);
}

test("what was kept is found, and V8 takes it", () => {
  expect(found()).toBeUndefined();
  keep();
  expect(found()?.text).toBe(SOURCE);
  expect(new Script(SOURCE, { cachedData: found()?.code }).cachedDataRejected).toBe(false);
});

test("nothing is found for another text or another part", () => {
  keep();
  expect(found("./main.js", "1b")).toBeUndefined();
  expect(found("./main.js", "1a.2")).toBeUndefined();
  expect(found("./status.js")).toBeUndefined();
});

test("a file under another one's name is not used", () => {
  keep("./main.js", "1b");
  const other = keptFile();
  renameSync(other, other.replace("1b", "1a"));
  expect(found()).toBeUndefined();
});

test("a start that isn't worth it keeps nothing", () => {
  compiledCodeIn(home, { keeps: false }).keepAtEnd({ entry: "./main.js", digest: "1a" }, COMPILED);
  end();
  expect(readdirSync(home)).toEqual([]);
});

test("no state home is made to keep compiled code", () => {
  rmSync(home, { recursive: true });
  keep();
  expect(existsSync(home)).toBe(false);
  expect(found()).toBeUndefined();
});

test("kept code with any changed byte is not used", () => {
  keep();
  const path = keptFile();
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    writeFileSync(path, changed);
    expect(found()).toBeUndefined();
  }
  writeFileSync(path, whole);
  expect(found()).toBeDefined();
});

test("a file that ends at any byte is not used", () => {
  keep();
  for (let length = readFileSync(keptFile()).length - 1; length >= 0; length -= 1) {
    truncateSync(keptFile(), length);
    expect(found()).toBeUndefined();
  }
});

test("what others may write, or what a link leads to, is not used", () => {
  keep();
  const path = keptFile();
  chmodSync(path, 0o620);
  expect(found()).toBeUndefined();
  chmodSync(path, 0o600);
  expect(found()).toBeDefined();
  renameSync(path, join(home, "elsewhere"));
  symlinkSync(join(home, "elsewhere"), path);
  expect(found()).toBeUndefined();
});

test("what was made a month ago goes when something is added", () => {
  keep("./old.js");
  const [old = ""] = readdirSync(join(home, "compiled"));
  const monthAgo = Date.now() / 1000 - 31 * 86_400;
  utimesSync(join(home, "compiled", old), monthAgo, monthAgo);
  keep("./new.js");
  expect(readdirSync(join(home, "compiled"))).toEqual([expect.stringMatching(/^new\.js-/)]);
});

test("many parts are kept with one listener, so Node has nothing to warn about", () => {
  const code = compiledCodeIn(home, { keeps: true });
  const count = process.listenerCount("exit");
  const names = Array.from({ length: 20 }, (_, number) => `./part-${number}.js`);
  for (const name of names) code.keepAtEnd({ entry: name, digest: "1a" }, COMPILED);
  expect(process.listenerCount("exit")).toBe(count + 1);
  end();
  expect(names.filter((name) => found(name) === undefined)).toEqual([]);
});
