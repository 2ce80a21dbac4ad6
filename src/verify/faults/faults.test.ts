import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutRenamed, changedLines, linesOfChangedFunctions } from "./changed-lines.ts";
import { chosenFaults, withFaults } from "./choose-faults.ts";
import { canHaveFaults, faultsOf } from "./faults.ts";

const HOSTILE = [
  "`${",
  "<<A ",
  "'",
  "=/[",
  "/*",
  "((",
  '"#{"',
  "%w[",
  "{\n",
  "f(\n",
  "if a == 1:\n",
  "return (\n",
];

/** The lines that differ with one fault after the other. */
function faultyLines(path: string, text: string): readonly string[] {
  const source = { path, text, lines: changedLines(text, null) };
  return faultsOf(path, text, source.lines).flatMap((fault) => {
    const lines = withFaults(source, [{ ...fault, path }]).split("\n");
    return lines.filter((line) => !text.split("\n").includes(line) && !/^(?:\/\/ @ts-|# mypy)/.test(line));
  });
}

describe("functions with another header", () => {
  test.each([
    ["a.py", "def total(a):\n    return a\n\n\ndef count(a):\n    return a\n", "total", "sum", [2]],
    [
      "a.js",
      "function total(a) {\n  return a;\n}\nfunction count(a) {\n  return a;\n}\n",
      "total(a)",
      "total(a, b)",
      [2],
    ],
    ["a.py", "def total(a):\n    return a\n", "(a):\n", "(a):  # of a\n    # a\n", []],
  ])("in %s: %j, %s is %s", (path, text, from, to, expected) => {
    const lines = linesOfChangedFunctions(path, text.replace(from, to), text);
    expect(
      [...lines].filter((line) => text.replace(from, to).split("\n")[line - 1]?.includes("return")),
    ).toEqual(expected);
  });
});

describe("faults", () => {
  test.each<readonly [path: string, text: string, ...faulty: string[]]>([
    ["a.js", "const f = (a, b) => a === b;", "const f = (a, b) => a !== b;"],
    ["a.rb", "def f(a)\n  @all.push(a)\n  nil\nend", "  (@all.push(a)) if false"],
    [
      "a.rb",
      "Job = Struct.new(:name, :at)\n",
      "Job = Struct.new(:name_x, :at)",
      "Job = Struct.new(:name, :at_x)",
    ],
    ["a.ex", '@doc "one"\n@rate 5\ndef f(a), do: a', "@rate 6"],
    ["a.mjs", "function f(a) {\n  this.all.push(a);\n}", "  if (false) this.all.push(a);"],
    [
      "a.tsx",
      'function f(a?: A) {\n  if (a === undefined) return "no";\n}',
      '  if (a !== undefined) return "no";',
    ],
    ["a.py", "def f(a):\n    if a is None:\n        return 1", "    if a is not None:", "        return 2"],
    ["a.py", "def f(a):\n    self.a = a", "    if False: self.a = a"],
    ["a.go", "package a\n\nfunc f(a string) string {\n\treturn g(a)\n}", '\treturn (g(a)) + "x"'],
    ["a.go", "package a\n\nfunc f(a, b T) T {\n\treturn a + b\n}", "\treturn a + b + b"],
    ["a.rs", "fn f(a: &str) -> bool {\n    !a.is_empty()\n}", "    !(!a.is_empty())"],
    ["a.rs", "fn f(a: &str) -> String {\n    a.trim().to_string()\n}", '    (a.trim().to_string()) + "x"'],
    [
      "a.rs",
      "fn f(a: u8) -> Result<u8, E> {\n    check(a)\n}",
      "    (check(a)).map(|inner: u8| (inner) + 1)",
    ],
    [
      "b.rs",
      'fn level(a: &str) -> Level {\n    match a {\n        "E" => Level::Error,\n        _ => Level::Info,\n    }\n}',
      '        "E" => Level::Info,',
      "        _ => Level::Error,",
    ],
    [
      "b.c",
      "enum kind f(int a) {\n  if (g(a))\n    return FOUND;\n  return MISSING;\n}",
      "    return MISSING;",
      "  return FOUND;",
    ],
    ["a.java", "class A {\n  void add(B b) {\n    all.add(b);\n  }\n}", "    if (false) all.add(b);"],
    ["a.c", "int f(int a) {\n  return g(a);\n}", "  return (g(a)) + 1;"],
    ["a.c", "int f(int a, int b) {\n  return a * b;\n}", "  return a + b;", "  return (a * b) + 1;"],
    ["a.cpp", "bool f(int a)\n{\n  return g(a);\n}", "  return !(g(a));"],
    ["a.rb", "def f(a)\n  return 1 if a.nil?\nend", "  return 1 if !(a.nil?)", "  return 2 if a.nil?"],
    [
      "a.sh",
      'f() {\n  if [ -z "$1" ]; then\n    return 1\n  fi\n}',
      '  if [ -n "$1" ]; then',
      "    return 0",
    ],
    [
      "b.sh",
      'f() {\n  a=${1%"${1##*[! ]}"}\n  printf "%s" "${a#"${a%%[! ]*}"}" | while read -r b; do\n    echo "$b"\n  done\n  return 1\n}',
      '    echo "x$b"',
      "  return 0",
    ],
    ["run", '#!/bin/bash\nf() {\n  echo "$((a + 1))"\n}', '  echo "x$((a + 1))"'],
    ["a.kt", "fun f(a: Int): Int {\n  return g(a)\n}", "  return (g(a)) + 1"],
    ["a.cs", "class A {\n  bool F(int a) {\n    return G(a);\n  }\n}", "    return !(G(a));"],
    ["a.swift", "func f(a: Int) -> Bool {\n  return g(a)\n}", "  return !(g(a))"],
    [
      "A.pm",
      "sub f {\n    my ($a) = @_;\n    return 1 if $a =~ s/'//;\n    return g($a) eq 'b';\n}\n\n=head1 NAME\n\nreturn 2\n",
      "    return g($a) ne 'b';",
      "    return !(g($a) eq 'b');",
      "    return 2 if $a =~ s/'//;",
    ],
    ["a.pl", "sub f {\n  set($self, $a);\n}", "  if (0) { set($self, $a) };"],
    [
      "a.lua",
      "local function f(a)\n  if a ~= nil then\n    return g(a)\n  end\nend",
      "  if a == nil then",
      "  if not (a ~= nil) then",
    ],
    ["a.hs", "f a = if a == 1 then 2 else 3 -- 4", "f a = if a == 2 then 2 else 3 -- 4"],
    ["a.ml", 'let f a = (* "1" *) a ^ "b"', 'let f a = (* "1" *) a ^ "xb"'],
    ["a.jl", "f(a) = a >= 3 # 4", "f(a) = a < 3 # 4"],
    ["a.ex", "def f(a) do\n  a > 1\nend", "  a <= 1"],
  ])("of %s: %j", (path, text, ...faulty) => {
    expect(faultyLines(path, text)).toEqual(expect.arrayContaining(faulty));
  });

  /** What only the running program knows the type of: before the value, and behind it. */
  test.each([
    ["a.js", "const f = (a, b) => a === b;", "const f = (a, b) => ((it) => typeof it", " : !it)(a === b);"],
    [
      "a.jsx",
      "function F() {\n  return <p>don't</p>;\n}",
      "  return ((it) => typeof it",
      " : !it)(<p>don't</p>);",
    ],
    [
      "a.ts",
      "function f(a: A): B {\n  return g(a);\n}",
      "  return (((it: any) => typeof it",
      " : !it)(g(a)) as any);",
    ],
    ["a.py", "def f(a):\n    return g(a)", "    return (lambda it: it + 37 if", " else not it)(g(a))"],
    [
      "a.rb",
      "def empty?\n  !@list.any?\nend",
      "  ->(it) { case it",
      " rescue !it) end }.call((!@list.any?))",
    ],
    ["a.rb", "def f(a)\n  a.sort.join\nend", "  ->(it) { case it", " rescue !it) end }.call((a.sort.join))"],
    [
      "a.php",
      "<?php\nfunction f($a) {\n  return g($a);\n}",
      "  return (static fn ($it) =>",
      " : !$it)))(g($a));",
    ],
    [
      "a.lua",
      "local function f(a)\n  return g(a)\nend",
      "  return (function(it) if",
      " return not it end end)(g(a))",
    ],
  ])("another value of the same type in %s: %j", (path, text, start, end) => {
    const faulty = faultyLines(path, text).filter((line) => line.startsWith(start));
    expect(faulty).toHaveLength(1);
    expect(faulty[0]?.endsWith(end)).toBe(true);
  });

  test.each<readonly [path: string, text: string]>([
    ["a.js", "function f() {\n  // if (a === b) return true;\n}"],
    ["a.js", 'import { a } from "b";'],
    ["a.js", "function f() {\n  for (let i = 0; i < 3; i++) {}\n}"],
    ["a.js", 'if (import.meta.vitest) {\n  it("is", () => expect(f(1)).toBe(2));\n}'],
    ["a.ts", 'type A = "one" | "two";\ninterface B {\n  readonly a: () => void;\n}'],
    ["a.py", 'def f():\n    """Returns 1.\n\n    >>> f()\n    1\n    """'],
    ["a.py", 'if __name__ == "__main__":\n    pass'],
    ["a.py", "def f(a, b):\n    return *a, b"],
    ["a.c", "void f(int *a) {\n  struct b * c;\n}"],
    ["a.rs", "#[cfg(test)]\nmod tests {\n    fn f() -> bool {\n        1 == 2\n    }\n}"],
    ["a.rs", "/// ```\n/// assert!(1 == 2);\n/// ```\nfn f(a: &'a str) {}"],
    ["a.rs", "fn f(a: char) {\n    match a {\n        '0'..='9' => {}\n        _ => {}\n    }\n}"],
    ["a.cpp", 'TEST_CASE("a")\n{\n  CHECK(f(1) == 2);\n}\nTEST(A, B) {\n  EXPECT_TRUE(f() == 3);\n}'],
    ["a.rb", 'it "is" do\n  expect(f(1) == 2).to be(true)\nend'],
    ["a.go", "package a\n\nfunc TestA(t *testing.T) {\n\tif f() != 1 {\n\t}\n}"],
    ["a.c", "#if A == 1\nint a[10];\n#endif"],
    ["a.java", "class A {\n  private final B b;\n  A(B b) {\n    this.b = b;\n  }\n}"],
    ["a.go", 'package a\n\nimport (\n\t"b"\n)\n\ntype T struct {\n\tA int `json:"a"`\n}'],
    ["a.pm", "use A qw(1 2);\n\n=head1 B\n\n  if (1 == 2) { 3 }\n\n=cut\n\n1;\n__END__\nif (1 == 2) {}\n"],
    ["a.lua", "--[[\nif a == 1 then\n]]\n-- return 1\nlocal a = [[ 1 == 2 ]]"],
    ["a.sh", "cat <<END\nif [ 1 -eq 2 ]; then\nEND"],
    ["a.md", "a === b"],
  ])("there are none in %s: %j", (path, text) => {
    expect(faultyLines(path, text)).toEqual([]);
  });

  test("a loop that ends by what is done in it still ends", () => {
    const text = "function f(a) {\n  while (a < 3) {\n    a += 1;\n    done = true;\n  }\n}";
    expect(faultyLines("a.js", text)).toEqual([]);
  });

  test.each([
    "a.js",
    "a.tsx",
    "a.py",
    "a.go",
    "a.rs",
    "a.java",
    "a.c",
    "a.rb",
    "a.php",
    "a.sh",
    "a.ex",
    "a.cs",
    "a.pl",
    "a.lua",
    "a.hs",
  ])(
    "of any text in %s change it, and don't take long",
    (path) => {
      const piece = fc.constantFrom(
        "`${",
        "<<A",
        '"',
        "'",
        "/",
        "/*",
        "{",
        "}",
        "(",
        ")",
        "return 1",
        "\n",
        "if ",
        "=>",
        "a",
        "%w[",
        "#",
        "\\",
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
          const text = pieces.join("");
          for (const fault of faultsOf(path, text, changedLines(text, null)))
            expect(fault.edits).not.toEqual([]);
        }),
        { numRuns: 20 },
      );
      for (const each of HOSTILE) faultsOf(path, each.repeat(5_000), new Set(Array(5_000).keys()));
    },
    20_000,
  );
});

describe("chosen faults", () => {
  const functionsOf = (count: number): string =>
    Array.from(
      { length: count },
      (_, index) => `function f${index}(a) {\n  if (a === 1) b();\n  return a + 1;\n}`,
    ).join("\n");
  const sourceOf = (path: string, text: string) => ({ path, text, lines: changedLines(text, null) });

  test.each([2, 50, 306])("look at each of %s functions before one is looked at again", (count) => {
    const chosen = chosenFaults([sourceOf("a.js", functionsOf(count))], count);
    expect(new Set(chosen.map(({ owner }) => owner)).size).toBe(count);
  });

  test("are the same for the same files, one for a line, and of all files", () => {
    const sources = ["a.js", "b.js", "c.js"].map((path) => sourceOf(path, functionsOf(3)));
    const chosen = chosenFaults(sources, 100);
    expect(chosenFaults(sources, 100)).toEqual(chosen);
    expect(new Set(chosen.map(({ path, line }) => `${path} ${line}`)).size).toBe(chosen.length);
    expect(new Set(chosen.slice(0, 9).map(({ path }) => path)).size).toBe(3);
  });

  test("may happen while a file is loaded only where there are no others", () => {
    const top = "if (a === 1) start();\n";
    expect(chosenFaults([sourceOf("a.js", top)], 5)).toHaveLength(1);
    expect(chosenFaults([sourceOf("a.js", top + functionsOf(1))], 5).map(({ line }) => line)).not.toContain(
      1,
    );
  });

  test("fit into one text", () => {
    const text = "function f(a) {\n  return g(a, {\n    b: a > 1,\n  });\n}\n";
    const source = sourceOf("a.js", text);
    const faulty = withFaults(source, chosenFaults([source], 9));
    expect(faulty.replace(/\(\(it\) =>.*!it\)(?=\()/, "!")).toBe(
      "function f(a) {\n  return !(g(a, {\n    b: a <= 1,\n  }));\n}\n",
    );
  });
});

describe("lines with a new name", () => {
  test("are no changed ones, and those that do more are", () => {
    const before = "function total(a) {\n  return total(a);\n}\n";
    const now = "function sum(a) {\n  return sum(a) + 1;\n}\nsum(2);\n";
    const files = [
      { now, before, lines: changedLines(now, before) },
      { now: "sum(1);", before: "total(1);", lines: new Set([1]) },
      { now: "sum(3);", before: null, lines: new Set([1]) },
    ];
    expect(withoutRenamed(files).map((lines) => [...lines])).toEqual([[2, 4], [], [1]]);
  });

  test("are not those with a new name of something, of which a list still has the old one", () => {
    const before = "push(item) {\n  this.items.push(item);\n}\nall(q) {\n  q.push(q.shift());\n}";
    const now = before
      .replace("push(item) {", "enqueue(item, first) {")
      .replace("q.push(q.shift())", "q.enqueue(q.dequeue())");
    const [lines] = withoutRenamed([{ now, before, lines: changedLines(now, before) }]);
    expect([...(lines ?? [])]).toEqual([1]);
  });
});

describe("changed lines", () => {
  test.each<readonly [name: string, then: string | null, now: string, lines: readonly number[]]>([
    ["of a new file are all", null, "a\nb", [1, 2]],
    ["are those that were not there", "a\nb\nc", "a\nx\nc", [2]],
    ["are not those that moved", "a\nb\nc\nd", "b\nx\na\nd", [2]],
    ["are those around what was removed", "a\nb\nc\nd\ne\nf\ng", "a\nb\nc\ne\nf\ng", [1, 2, 3, 4, 5, 6]],
    ["are none of the same text", "a", "a", []],
  ])("%s", (_, then, now, lines) => {
    expect([...changedLines(now, then)]).toEqual(lines);
  });
});

test("languages are known by name or by interpreter", () => {
  expect(canHaveFaults("bin/run", "#!/usr/bin/env python3\n")).toBe(true);
  expect(canHaveFaults("data.json", "{}")).toBe(false);
});
