import { describe, expect, it } from "vitest";
import { followedImports, type MovedSource } from "./followed-imports.ts";
import { modulesAmong } from "./modules.ts";
import { projectWords, renamedWords } from "./renamed-words.ts";
import { tokensOf, withTokens } from "./tokens.ts";

describe("tokens", () => {
  it.each([
    ["a.js", "// total\nconst a = 'total'; /* total */ total(`total`)"],
    ["a.py", '# total\na = """total\n"total" """\ntotal("total")'],
    ["a.go", 'a := "total" // total\ntotal("total")'],
  ])("of %s have names outside of strings and comments only", (path, text) => {
    const renamed = withTokens(path, text, ({ text: word }) => (word === "total" ? "sum" : null));
    expect(renamed.match(/sum/g)).toHaveLength(1);
    expect(renamed).toContain("sum(");
  });

  it.each([
    [
      "a.bats",
      'total() { [ $# -gt 0 ] && echo; } # total\nsame "$(total "it\'s ${x#y}" 1) total" "$total"',
      3,
    ],
    ["a.js", "`total ${total({ a: `${total}` })} total`", 2],
    ["a.py", "f'total {total(1)}' + 'total {total}'", 1],
    ["a.rb", '"total #{total(1)} total" # total', 1],
    ["a.php", '"total {$total} $total"', 2],
  ])("of %s have the code inside of texts, too", (path, text, count) => {
    const renamed = withTokens(path, text, ({ kind, text: word }) =>
      kind === "word" ? word.replace(/^(\$?)total$/, "$1sum") : null,
    );
    expect(renamed.match(/sum/g)).toHaveLength(count);
    expect(renamed).toMatch(/sum/);
  });

  it("are found in time where nothing that begins ends", () => {
    for (const piece of ["/*", '"', "'\\", "`${", "/* ' \" ", '"$('])
      for (const path of ["a.js", "a.sh"])
        expect(tokensOf(path, piece.repeat(50_000)).length).toBeGreaterThan(0);
  });
});

describe("renamed words", () => {
  const pair = (before: string, now: string) => [{ path: "a.js", before, now }];

  it("stand where the old ones stood", () => {
    const found = renamedWords(pair("f(total(1), count(2)); g(total);", "f(sum(1), size(2)); g(sum);"), {
      gone: new Set(["total", "count"]),
      added: new Set(["sum", "size"]),
    });
    expect([...found]).toEqual([
      ["total", "sum"],
      ["count", "size"],
    ]);
  });

  it("are none where two names became one", () => {
    const words = { gone: new Set(["total", "count"]), added: new Set(["sum"]) };
    expect(renamedWords(pair("f(total); g(count);", "f(sum); g(sum);"), words).size).toBe(0);
  });
});

describe("the imports of an original test", () => {
  const before = `import { equal } from "node:assert";\nimport { total, count } from "../src/cart.js";\nequal(total(count), 5);\n`;
  const sourceOf = (old: readonly string[], after: readonly string[]): MovedSource => ({
    before: modulesAmong(old),
    now: modulesAmong(after),
    isSource: (path) => path.startsWith("src/"),
    hasLost: (path) => !after.includes(path),
    oldName: (name) => (name === "sum" ? "total" : name),
  });
  const follow = (now: string, after: readonly string[]): string | null =>
    followedImports(
      { path: "test/cart.test.js", before, now },
      sourceOf(["src/cart.js", "test/helper.js"], after),
    );

  it("follow source that was moved, split and renamed, and nothing else of the test does", () => {
    const now = `import { notEqual as equal } from "node:assert";\nimport { sum } from "../src/sum.js";\nimport { count } from "../src/count.js";\nequal(sum(count), 6);\n`;
    expect(follow(now, ["src/sum.js", "src/count.js"])).toBe(
      `import { equal } from "node:assert";\nimport { total } from "../src/sum.js";\nimport { count } from "../src/count.js";\nequal(total(count), 5);\n`,
    );
  });

  it.each([
    [
      "the source is still there",
      `import { total, count } from "../src/fake.js";`,
      ["src/cart.js", "src/fake.js"],
      before,
    ],
    ["they lead to tests", `import { total, count } from "./fake.js";`, ["test/fake.js"], null],
    ["a name is missing", `import { total } from "../src/sum.js";`, ["src/sum.js"], null],
    [
      "they bring another assertion",
      `import { total, count, equal } from "../src/sum.js";`,
      ["src/sum.js"],
      null,
    ],
  ])("stay when %s", (_why, line, after, expected) => {
    expect(follow(`import { equal } from "node:assert";\n${line}\nequal(total(count), 5);\n`, after)).toBe(
      expected,
    );
  });

  it.each([
    ["a_test.py", "from cart import total", "cart.py", "from shop.cart import total", "shop/cart.py"],
    ["T.java", "import a.Cart;", "src/a/Cart.java", "import b.Cart;", "src/b/Cart.java"],
    ["t.rs", "use calc::cart::total;", "src/cart.rs", "use calc::shop::total;", "src/shop.rs"],
    ["t.c", '#include "calc.h"', "calc.h", '#include "src/calc.h"', "src/calc.h"],
    [
      "t.rb",
      "require_relative 'lib/cart'",
      "lib/cart.rb",
      "require_relative 'lib/shop/cart'",
      "lib/shop/cart.rb",
    ],
    [
      "t/cart.t",
      "use Shop::Cart qw(total count);",
      "lib/Shop/Cart.pm",
      "use Shop::Basket::Cart qw(total count);",
      "lib/Shop/Basket/Cart.pm",
    ],
    [
      "test.lua",
      'local cart = require("cart")',
      "cart.lua",
      'local cart = require("shop.cart")',
      "shop/cart.lua",
    ],
  ])("follow in %s, too", (path, line, from, after, to) => {
    const source = { ...sourceOf([from], [to]), isSource: () => true };
    expect(followedImports({ path, before: `${line}\nx\n`, now: `${after}\ny\n` }, source)).toBe(
      `${after}\nx\n`,
    );
  });

  it("lead past a test of Rust that has a module's name", () => {
    const modules = modulesAmong(["src/dump.rs", "tests/dump.rs"]);
    expect(modules.find("hexed::dump", "tests/dump.rs")).toEqual(["src/dump.rs"]);
  });
});

describe("words of the project", () => {
  const modules = modulesAmong(["src/cart.js"]);

  it.each([
    ["assert.equal(cart.total, 5)", ["total"]],
    ["expect(total(1)).equal(5)", ["total"]],
    ["this.equal(total(), 5)", ["total"]],
    ["cart.equal(total(), 5)", ["equal", "total"]],
  ])("in %s", (line, expected) => {
    const text = `import assert from "node:assert";\nimport { expect } from "chai";\nimport { cart, total } from "../src/cart.js";\n${line};\n`;
    const found = projectWords("test/a.test.js", text, new Set(["equal", "total"]), modules);
    expect([...found].toSorted()).toEqual(expected);
  });
});
