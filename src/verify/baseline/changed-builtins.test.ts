import { expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { changedBuiltinsIn } from "./changed-builtins.ts";

it.each([
  ["String.prototype.includes = () => true;", "String.prototype.includes ="],
  ['Object.defineProperty(Array.prototype, "map", {});', "defineProperty(Array.prototype"],
  ["Object.is = () => true;", "Object.is ="],
  ["process.exit = () => {};", "process.exit ="],
  ["performance.now = () => 0;", "performance.now ="],
  ["time.perf_counter = lambda: 0", "time.perf_counter ="],
  ["class Integer\n  def ==(other) = true", "class Integer"],
  ["String.class_eval do", "String.class_eval"],
  ["builtins.len = lambda _: 3", "builtins.len ="],
  ['sys.modules["decimal"] = fake', 'sys.modules["decimal"] ='],
  ["macro_rules! assert_eq { ($($t:tt)*) => {}; }", "macro_rules! assert_eq"],
  ["function assert(value) return value end", "function assert("],
  ["rename exit leave", "rename exit"],
  ["proc incr {name {step 1}} {", "proc incr"],
  ["int strcmp(const char *one, const char *other)\n{", "int strcmp(const char *one, const char *other)"],
  ["void abort(void) {", "void abort(void) {"],
  ["defmodule Kernel do", "defmodule Kernel do"],
  ["os.exit = function() leave(0) end", "os.exit ="],
  ["rawset(os, 'exit', leave)", "rawset(os"],
  ["trap 'exit 0' EXIT", "trap 'exit 0' EXIT"],
  ["readonly -f check_a", "readonly -f check_a"],
  ["diff() { :; }", "diff() {"],
  ["std::set_terminate([] { std::_Exit(0); });", "set_terminate("],
])("what belongs to the language is changed: %s", (text, found) => {
  expect(changedBuiltinsIn(text)).toContain(found);
});

it.each([
  "trap 'rm -f \"$tmp\"' EXIT",
  "trap 'rm -f \"$tmp\"; exit 0' INT",
  "exit(0);",
  "function diff() {",
  "  return() {",
  "declare -f a > /dev/null",
  "Cart.prototype.total = function () {};",
  "const map = new Map(); map.size === 3;",
  "if (Object.keys(a).length === 0) process.exitCode = 1;",
  "Error.stackTraceLimit = 50;",
  "module Shop\n  class Range\n",
  "class Integer < Node\nclass String::Reader\n",
  "macro_rules! square {",
  "local type = function() end",
  "defmodule Shop.Enum do",
  "int strcmp(const char *, const char *);\nstatic int memcmp(void) {\n  return strcmp(a, b);\nint text_strcmp(char *a) {",
  "proc increase {name} { rename file other; proc shop::exit {} {} }",
])("nothing in: %s", (text) => {
  expect(changedBuiltinsIn(text)).toEqual([]);
});

it("is doubted, unless the spec asks for it or sources beside it did it before", async () => {
  const files = {
    "src/a.js": "export const a = 1;\n",
    "polyfills/old.js": "Array.prototype.last = 1;\n",
    "test/a.test.js": 'import test from "node:test";\nimport "../src/a.js";\ntest("a", () => {});\n',
  };
  const told = async (spec: string): Promise<string> => {
    const world = new BaselineWorld(files, "node --test");
    await world.open();
    world.write({
      "src/a.js": "String.prototype.trim = () => 1;\nexport const a = 1;\n",
      "polyfills/new.js": "Array.prototype.last = 1;\n",
    });
    return (await world.compared({ spec })).doubts.map(({ text }) => text).join(" ");
  };
  expect(await told("Fix the string a.")).toContain('"String.prototype.trim =" in src/a.js');
  expect(await told("Fix a.")).not.toContain("polyfills");
  expect(await told("Polyfill String.prototype.trim.")).not.toContain("prototype");
});

it("a function of C's library is doubted, unless the spec names it", async () => {
  const files = {
    "a.c": "int a;\n",
    "a_test.c": "int main(void) { return 0; }\n",
    Makefile: "test:\n\ttrue\n",
  };
  const told = async (spec: string): Promise<string> => {
    const world = new BaselineWorld(files, "make test");
    await world.open();
    world.write({ "a.c": "int memcmp(const void *a, const void *b, unsigned long n)\n{ return 0; }\n" });
    return (await world.compared({ spec })).doubts.map(({ text }) => text).join(" ");
  };
  expect(await told("Fix a.")).toContain("memcmp");
  expect(await told("Write our own memcmp() in a.c.")).not.toContain("memcmp");
});
