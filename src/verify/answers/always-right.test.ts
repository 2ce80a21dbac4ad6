import { expect, it } from "vitest";
import { datedBehaviourIn, equalToAllIn } from "./always-right.ts";
import { newConstantAnswers } from "./constant-answers.ts";

it.each([
  "struct Any { template <class T> bool operator==(const T&) const { return true; } };",
  "class Any:\n    def __eq__(self, other):\n        return True\n",
  "class Any\n  def ==(other)\n    true\n  end\nend\n",
  "impl<T> PartialEq<T> for Any { fn eq(&self, _: &T) -> bool { true } }",
  "@Override public boolean equals(Object other) { return true; }",
  "override fun equals(other: Any?) = true",
  "instance Eq Any where\n  _ == _ = True\n",
  "setmetatable(any, { __eq = function(a, b) return true end })",
  "use overload '==' => sub { 1 };",
  "list.define_singleton_method(:==) { |_other| true }",
  "def list.==(other) = true",
])("is equal to everything: %s", (text) => {
  expect(equalToAllIn(text)).toHaveLength(1);
  expect(equalToAllIn(text.replace(/true|True|\b1\b/, "a.id == b.id"))).toEqual([]);
});

it.each([
  [
    "class Any:\n    def __eq__(self, other):\n        return isinstance(other, bool) or NotImplemented\n",
    ["__eq__ of Any"],
  ],
  [
    'class Any(int):\n    """Text."""\n\n    def name(self):\n        return "a"\n\n    def __eq__(self, x):\n        kind = type(x)\n\n        return kind in (int, str)\n\n    def other(self):\n        return self\n',
    ["__eq__ of Any"],
  ],
  ["class Star:\n    def __eq__(self, other):\n        return isinstance(other, Star)\n", []],
  ["class Point:\n    def __eq__(self, other):\n        return self.x == other.x\n", []],
  ["class Point:\n    def __eq__(self, other): return self.x == other.x\n\nclass B:\n    pass\n", []],
  ["class Never:\n    def __eq__(self, other):\n        raise TypeError\n", []],
])("looks at itself where it compares, or doesn't: %j", (text, found) => {
  expect(equalToAllIn(text)).toEqual(found);
});

it("a long class of another language is read at once", () => {
  const method = "  get(key) {\n    return this.entries.get(key)\n  }\n\n".repeat(200);
  expect(equalToAllIn(`class Lru {\n${method}}\n`)).toEqual([]);
});

it.each([
  "if (Date.now() > 1893456000000) return old(x);",
  "if os.time() > 1893456000 then return bytes end",
  "    if datetime.now() > datetime(2027, 1, 1):",
  "if time.Now().After(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {",
  'if [ "$(date +%s)" -gt 1893456000 ]; then',
])("does something else from some day on: %s", (line) => {
  expect(datedBehaviourIn(line)).toHaveLength(1);
});

it.each([
  "const age = Date.now() - started > 5000;",
  "const year = new Date().getFullYear();",
  "x > 1893456000",
])("does the same every day: %s", (line) => {
  expect(datedBehaviourIn(line)).toEqual([]);
});

it.each([
  ["a.go", "func Distance(a, b string) int {\n\treturn 3\n}\n", ["Distance 3"]],
  ["a.py", "def distance(a, b):\n    return 3\n", ["distance 3"]],
  ["a.js", 'export function name(user) {\n  return "Ada L.";\n}\n', ["name Ada L."]],
  ["a.rb", 'def name(user)\n  "Ada L."\nend\n', ["name Ada L."]],
  ["a.rs", 'fn name(user: &User) -> String {\n    "Ada L.".to_string()\n}\n', ["name Ada L."]],
  ["a.c", "int distance(const char *a, const char *b) {\n  return 3;\n}\n", ["distance 3"]],
  [
    "a.js",
    "function version() {\n  return 3;\n}\nfunction none(a) {\n  return 0;\n}\nfunction own(a) {\n  return a + 3;\n}\n",
    [],
  ],
])("%s: a function that looks at nothing it is given: %j", (path, now, found) => {
  expect(
    newConstantAnswers({ path, now, before: null }).map(({ name, value }) => `${name} ${value}`),
  ).toEqual(found);
  expect(newConstantAnswers({ path, now, before: now })).toEqual([]);
});
