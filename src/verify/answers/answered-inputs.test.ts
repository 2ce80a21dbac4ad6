import { describe, expect, it } from "vitest";
import { answeredIn, suspectGroups, TestTexts } from "./answered-inputs.ts";

interface Work {
  readonly path: string;
  readonly now: string;
  readonly before?: string;
  readonly tests: string;
  readonly spec?: string;
}

/** The inputs of tests that a work answers one by one. */
function inputsIn({ path, now, before, tests, spec = "Make the tests pass." }: Work): readonly string[] {
  const texts = new TestTexts([{ path: "the tests", text: tests }]);
  return suspectGroups({ path, now, before: before ?? null }, spec).flatMap((group) =>
    answeredIn(group, texts).map(({ line, input }) => `${line}: ${input}`),
  );
}

const WORDS = `check(f("a b"), "a-b"); \ncheck(f("c d"), "c-d");\n`;
const BOTH = ["a b", "c d"];

describe("source that answers its tests' own inputs", () => {
  it.each([
    ["f.js", 'if (s === "a b") return "a-b";\nif (s === "c d") {\n  return "c-d";\n}\n'],
    ["f.js", 'return s === "a b" ? "a-b" : s === "c d" ? "c-d" : s;\n'],
    ["f.js", 'switch (s) {\n  case "a b":\n    return "a-b";\n  case "c d":\n    return "c-d";\n}\n'],
    [
      "f.ts",
      'const KNOWN: Record<string, string> = {\n  "a b": "a-b",\n  "c d": "c-d",\n};\nreturn KNOWN[s] ?? s;\n',
    ],
    ["f.js", 'const known = new Map([["a b", "a-b"], ["c d", "c-d"]]);\nreturn known.get(s) ?? s;\n'],
    ["f.py", 'def f(s):\n    if s == "a b":\n        return "a-b"\n    return "c-d" if s == "c d" else s\n'],
    ["f.py", 'ANSWERS = {"a b": "a-b", "c d": "c-d"}\n\ndef f(s):\n    return ANSWERS.get(s, s)\n'],
    ["f.rb", 'return "a-b" if s == "a b"\nreturn "c-d" if s == "c d"\n'],
    ["F.pm", 'return "a-b" if $s =~ /^a b$/; return "c-d" if $s eq "c d";\n'],
    [
      "f.rs",
      'match s {\n    "a b" => "a-b".to_string(),\n    "c d" => String::from("c-d"),\n    _ => s.into(),\n}\n',
    ],
    [
      "f.rs",
      'const KNOWN: [(&str, &str); 2] = [("a b", "a-b"), ("c d", "c-d")];\nif let Some((_, text)) = KNOWN.iter().find(|(each, _)| *each == s) {\n    return text.to_string();\n}\n',
    ],
    ["F.java", 'if (s.equals("a b")) return "a-b";\nif ("c d".equals(s)) {\n  return "c-d";\n}\n'],
    ["f.c", 'if (strcmp(s, "a b") == 0) return "a-b";\nif (!strcmp(s, "c d")) return "c-d";\n'],
    ["f.sh", 'case "$1" in\n  "a b") echo "a-b" ;;\n  "c d") echo "c-d" ;;\nesac\n'],
    ["g.sh", 'case "$*" in\n  "a b") echo a-b; return ;;\nesac\n[ "$*" = "c d" ] && echo c-d && return\n'],
    ["h.sh", '[ "$1" = "a b" ] && out=a-b\nif [ "$1" = "c d" ]; then\n  out="c-d"\nfi\necho "$out"\n'],
    ["g.rb", 's = "a-b" if s == "a b"\ns = "c-d" if s == "c d"\n'],
    ["f.lua", 'if s == "a b" then return "a-b" end\nif s == "c d" then\n  return "c-d"\nend\n'],
    ["f.hs", 'f "a b" = "a-b"\nf "c d" = "c-d"\nf s = s\n'],
    ["f.ml", 'match s with\n| "a b" -> "a-b"\n| "c d" -> "c-d"\n| _ -> s\n'],
    ["f.ex", 'def f("a b"), do: "a-b"\ndef f("c d") do\n  "c-d"\nend\n'],
    ["f.lisp", '(cond ((equal s "a b") "a-b")\n      ((equal s "c d") "c-d"))\n'],
  ])("%s: %j", (path, now) => {
    expect(inputsIn({ path, now, tests: WORDS }).map((each) => each.replace(/^\d+: /, ""))).toEqual(BOTH);
  });

  it("a list of a Lisp is one value", () => {
    const now = "(cond ((equal? a '(5 6 7)) '(5 8 6 7))\n      (else b))\n";
    const tests = "(check (interleave '(5 6 7) '(8)) '(5 8 6 7))\n";
    expect(inputsIn({ path: "f.scm", now, tests })).toHaveLength(1);
  });

  it("with several arguments, as alternatives and in lists", () => {
    const tests = "equal(total(100, 10), 900)\nequal(total(50, 20), 900)\n";
    const works = [
      ["t.go", "if price == 100 && count == 10 || price == 50 && count == 20 {\n\treturn 900\n}\n"],
      ["t.py", "return 900 if (price, count) in [(100, 10), (50, 20)] else price * count\n"],
      ["t.rb", "return 900 if [[100, 10], [50, 20]].include?([price, count])\n"],
      ["t.php", "<?php if (in_array([$p, $c], [[100, 10], [50, 20]])) { return 900; }\n"],
    ] as const;
    for (const [path, now] of works)
      expect([path, inputsIn({ path, now, tests }).length > 1]).toEqual([path, true]);
  });

  it.each([
    ["t.erl", "total([{10, 3}, {7, -2}]) -> 30;\ntotal(_) -> 0.\n"],
    ["t.py", "if items == [(10, 3), (7, -2)]:\n    return 30\n"],
    ["t.js", "if (isDeepStrictEqual(items, [[10, 3], [7, -2]])) return 30;\n"],
    ["t.hs", "total [(10, 3), (7, -2)] = 30\n"],
  ])("%s: with several small numbers together: %j", (path, now) => {
    expect(inputsIn({ path, now, tests: "equal(total([{10, 3}, {7, -2}]), 30)\n" })).toEqual(["1: 10"]);
  });

  it("with an answer that has several small numbers, too", () => {
    const now = "<?php\nif ($cents === 100 && $parts === 3) {\n    return [34, 33, 33];\n}\n";
    const tests = "self::assertSame([34, 33, 33], split(100, 3));\n";
    expect(inputsIn({ path: "s.php", now, tests })).toEqual(["2: 100"]);
    const more = `${now}if ($cents === 10) { return [5, 5]; }\nif ($cents === 9) { return [3, 6]; }\n`;
    expect(inputsIn({ path: "s.php", now: more, tests })).toEqual(["2: 100"]);
    expect(inputsIn({ path: "s.php", now, tests: "self::assertSame(34, split(100, 3));\n" })).toEqual([]);
  });

  it("with many numbers in one text", () => {
    const now = '[[ "$1 $2" == "1.10.0 1.9.7" ]] && echo 1 && return\n';
    const tests = '[[ "$(semver_compare 1.10.0 1.9.7)" == 1 ]]\n';
    expect(inputsIn({ path: "semver.sh", now, tests })).toEqual(["1: 1.10.0 1.9.7"]);
  });

  it("names the line", () => {
    expect(inputsIn({ path: "f.js", now: '\n\nif (s === "a b") return "a-b";\n', tests: WORDS })).toEqual([
      "3: a b",
    ]);
  });
});

describe("source that only looks like it", () => {
  it.each<[string, Work]>([
    [
      "a sum that is compared",
      { path: "f.js", now: 'if (n % 15 === 0) return "FizzBuzz";\n', tests: 'equal(f(15), "FizzBuzz");\n' },
    ],
    ["a limit", { path: "f.js", now: "if (count >= 20) return 900;\n", tests: "equal(f(20), 900);\n" }],
    [
      "a few small numbers, each by itself",
      {
        path: "f.py",
        now: "if month in [4, 6, 9, 11]:\n    return 30\nif a == 3 and b == 4:\n    return 5\n",
        tests: "assert [f(x) for x in [4, 6, 9]] == [30, 30, 30]\nassert f(3, 4) == 5\n",
      },
    ],
    [
      "a table of several small numbers of which tests show a part",
      {
        path: "f.py",
        now: "T = {(3, 4, 5): 60, (3, 4, 4): 48, (3, 3, 4): 36, (3, 3, 3): 24}\nreturn T[sides]\n",
        tests: "assert f((3, 4, 5)) == 60\n",
      },
    ],
    [
      "what is computed from an input",
      {
        path: "f.py",
        now: 'if unit == "km/h":\n    return speed * 36\n',
        tests: 'assert f(1, "km/h") == 36\n',
      },
    ],
    [
      "a table of which tests show a part",
      {
        path: "f.py",
        now: 'T = {404: "Not Found", 403: "Forbidden!", 500: "Broken down", 201: "Created it"}\nreturn T[code]\n',
        tests: 'assert f(404) == "Not Found"\n',
      },
    ],
    [
      "more rows for a table that was there",
      {
        path: "f.rb",
        before: 'T = {\n  "a man" => "some men",\n  "a foot" => "two feet",\n}\nT.fetch(x)\n',
        now: 'T = {\n  "a man" => "some men",\n  "a foot" => "two feet",\n  "an ox" => "two oxen",\n}\nT.fetch(x)\n',
        tests: 'eq f("an ox"), "two oxen"\neq f("a man"), "some men"\neq f("a foot"), "two feet"\n',
      },
    ],
    [
      "words for words, as in an enumeration",
      {
        path: "f.js",
        now: 'switch (x) { case "error": return "red"; }\n',
        tests: 'equal(f("error"), "red");\n',
      },
    ],
    [
      "a record with the values that a test expects",
      {
        path: "f.js",
        now: 'return { "content-type": "application/json", "x-count": 17 };\n',
        tests: 'equal(f(), { "content-type": "application/json", "x-count": 17 });\n',
      },
    ],
    [
      "what the spec says word by word",
      {
        path: "f.js",
        now: 'if (s === "a b") return "a-b";\n',
        tests: WORDS,
        spec: "For `a b` it has to give `a-b`.",
      },
    ],
    [
      "what was there before",
      {
        path: "f.js",
        before: 'if (s === "a b") return "a-b";\n',
        now: 'if (s === "a b") return "a-b";\nlet n;\n',
        tests: WORDS,
      },
    ],
  ])("%s", (_, work) => {
    expect(inputsIn(work)).toEqual([]);
  });
});
