import { afterInterpreter, begun, ended, usedIn, words } from "./language.ts";
import type { Language, Sentinels, Uses } from "./language.ts";
import { withWrongValuesInPython } from "./dialects/python.ts";

const OWN_EXIT =
  /(?<=\braise\s+)SystemExit(?=\s*\()|(?<![.\w])(?:sys\.exit|os\._exit)\b|(?<![.\w]|def\s)(?:exit|quit)(?=\s*\()/g;
const BARE_EXIT = /(?<=\braise\s+)SystemExit\b(?!\s*[(\w])/g;
/** What ends the process itself when it is through, or decides about the exit code when the end has already been reached. */
const UNCLEAR =
  /\b(?:unittest|pytest|nose2?|ward)\.main\b|^[ \t]*(?:from|import)[ \t]+(?:click|typer|absl|fire|invoke|cleo|cyclopts)\b|\batexit\b|\bsys\.excepthook\b|\bos\.exec\w+\b|^[ \t]*import[ \t]+(?:sys|os)[ \t]+as\b|\bfrom[ \t]+(?:sys|os)[ \t]+import[ \t]+[^\n]*\bexit[ \t]+as\b/m;
const FUTURE =
  /^from[ \t]+__future__[ \t]+import[ \t][^\n(]*\n|^from[ \t]+__future__[ \t]+import[ \t]*\([^)]*\)[^\n]*\n/gm;

function beginOf(marks: Sentinels, probes: readonly string[]): string {
  const { nonce, fails } = marks;
  const lines = probes.map((line) => `        ${JSON.stringify(line.replace(/^assert /, ""))},`);
  return `import builtins as builtins_${nonce}, sys as sys_${nonce}
def armed_${nonce}():
    for probe in [
${lines.join("\n")}
    ]:
        try:
            if eval(probe, globals()):
                return False
        except BaseException:
            pass
    return True
def end_${nonce}(code=None, *rest):
    if not code and armed_${nonce}():
        sys_${nonce}.stderr.write("${ended(marks)}\\n")
        sys_${nonce}.stderr.flush()
        ${fails ? "code = 1" : "pass"}
    sys_${nonce}.exit(code)
builtins_${nonce}.end_${nonce} = end_${nonce}
if __name__ == "__main__":
    sys_${nonce}.stderr.write("${begun(marks)}\\n")
    sys_${nonce}.stderr.flush()
`;
}

function withOwnExits(text: string, { nonce }: Sentinels): string {
  return text.replaceAll(OWN_EXIT, `end_${nonce}`).replaceAll(BARE_EXIT, `end_${nonce}()`);
}

/** Python wants these before everything else. */
function insertAtBeginning(text: string, inserted: string): string {
  const last = [...text.matchAll(FUTURE)].at(-1);
  if (last === undefined) return afterInterpreter(text, inserted);
  const at = last.index + last[0].length;
  return `${text.slice(0, at)}${inserted}\n${text.slice(at)}`;
}

export const PYTHON: Language = {
  file: /\.py$/,
  script: (text, marks) => {
    if (UNCLEAR.test(text)) return null;
    const marked = insertAtBeginning(withOwnExits(text, marks), beginOf(marks, usedIn(text, COMPARED)));
    return `${marked}\nif __name__ == "__main__":\n    end_${marks.nonce}()\n`;
  },
  wrongValues: ({ text }, marker) => withWrongValuesInPython(text, marker, { altered: "all" }),
  loaded: (text, marks) => {
    const marked = withOwnExits(text, marks);
    return marked === text ? null : marked;
  },
  endsUnmarked: (text) => UNCLEAR.test(text),
  code: (text, marks) => {
    const { nonce } = marks;
    return `import sys as sys_${nonce}
def end_${nonce}(code=None, *rest):
    if not code:
        print(${ended(marks)}, file=sys_${nonce}.stderr, flush=True)
        code = 1
    sys_${nonce}.exit(code)
print(${begun(marks)}, file=sys_${nonce}.stderr, flush=True)
${withOwnExits(text, marks)}
end_${nonce}()
`;
  },
};

/** What a test compares with, beside assertions. */
export const COMPARED: Uses = [
  [/^import [\w, ]*\bjson\b[\s\S]*\bjson\.dumps\(/m, 'assert json.dumps({"a": 1}) == json.dumps({"a": 2})'],
  [/^import [\w, ]*\bmath\b[\s\S]*\bmath\.isclose\(/m, "assert math.isclose(1, 2)"],
  [/^import [\w, ]*\bpytest\b[\s\S]*\bpytest\.approx\(/m, "assert 1 == pytest.approx(2)"],
  [/(?<![.\w])all\(/, "assert all([False])"],
  [/(?<![.\w])any\(/, "assert any([])"],
  [/(?<![.\w])len\(/, "assert len([1]) == len([])"],
  [/(?<![.\w])sorted\(/, "assert sorted([1]) == sorted([2])"],
  [/(?<![.\w])str\(/, "assert str(1) == str(2)"],
  [/(?<![.\w])repr\(/, "assert repr(1) == repr(2)"],
  [/(?<![.\w])isinstance\(/, "assert isinstance(1, str)"],
];

export const UNITTEST = words({
  assertEqual: "self.assertEqual(1, 2)",
  assertTrue: "self.assertTrue(False)",
  assertFalse: "self.assertFalse(True)",
  assertIn: "self.assertIn(1, [])",
  assertIsNone: "self.assertIsNone(1)",
  assertAlmostEqual: "self.assertAlmostEqual(1, 2)",
  assertRaises: "self.assertRaises(KeyError, dict)",
});
