import { closingOf, DOUBLE_QUOTED, equalitiesInLines, withAltered } from "../altered.ts";
import { injectedText, type Dialect } from "../dialect.ts";
import { usedIn, words } from "../language.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";

const TEST = /#\[\s*(?:\w+::)*test\b/;
const TEST_MODULE = /#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{(?!\s*(?:#!|\/\/!))/;
const EXAMPLE = /^[ \t]*\/\/[/!] ?```(?:rust)?\s*$/m;

/** Options of cargo that are followed by a word which selects no tests. */
const WITH_VALUE =
  /^(?:-p|--package|--manifest-path|--features|-F|--target|--target-dir|--jobs|-j|--profile|--color|--message-format|--config|--exclude)$/;

/** `cargo test NAME`, `cargo test -- --skip NAME`. */
function isSelected(setup: string): boolean {
  return [...setup.matchAll(/\bcargo\s+(?:\+\S+\s+)?(?:test|t|nextest\s+run)\b([^\n;&|>"']*)/g)].some(
    ([, args = ""]) => {
      const all = args.trim().split(/\s+/).filter(Boolean);
      return all.some((word, at) => !word.startsWith("-") && !WITH_VALUE.test(all[at - 1] ?? ""));
    },
  );
}

const USES = words({
  assert_eq: "assert_eq!(1, 2);",
  assert_ne: "assert_ne!(1, 1);",
  assert: "assert!(1 == 2);",
});

/** A function would have to be in reach of every module. */
function marked({ path, file }: Marker, kind: MarkKind, id = 0): string {
  const word = JSON.stringify(`${markOf({ file }, kind, id)}\n`);
  return `{ if let Ok(mut handle) = ::std::fs::OpenOptions::new().append(true).create(true).open(${JSON.stringify(path)}) { let _ = ::std::io::Write::write_all(&mut handle, ${word}.as_bytes()); } }`;
}

function failingTests(text: string, marker: Marker): readonly string[] {
  return ['panic!("x");', ...usedIn(text, USES)].map((line, at) => {
    const id = at + 1;
    const behind = id === 1 ? "" : marked(marker, "survived", id);
    return `#[test] fn ${marker.nonce}_${id}() { ${marked(marker, "ran", id)} ${line} ${behind} }`;
  });
}

function failingExample(marker: Marker): string {
  return `\n\n/// \`\`\`\n/// ${marked(marker, "ran", 0)}\n/// panic!("x");\n/// \`\`\`\n#[allow(dead_code)] fn ${marker.nonce}() {}\n`;
}

const WITHOUT_END = String.raw`(?:[^;"]|"[^"\\\n]*")+`;
const EQUALITIES = [
  new RegExp(`^(?<before>assert_eq!\\(${WITHOUT_END}, )(?<literal>${DOUBLE_QUOTED})(?<behind>\\);)$`),
  new RegExp(`^(?<before>assert_eq!\\()(?<literal>${DOUBLE_QUOTED})(?<behind>, ${WITHOUT_END}\\);)$`),
];

/** A third argument is a message. */
function isOfTwo(line: string): boolean {
  return closingOf(line, line.indexOf("(") + 1)?.commas.length === 1;
}

export const RUST_TESTS: Dialect = {
  file: /\.rs$/,
  inject: ({ path, text }, marker, { surroundings, failures }) => {
    const hasTests = TEST.test(text);
    const hasExamples = EXAMPLE.test(text) && !/(?:^|\/)(?:tests\/|main\.rs$)/.test(path);
    if (!hasTests && !hasExamples) return null;
    const wrapped = (statement: string, id: number): readonly string[] => [
      marked(marker, "reached", id),
      statement,
      marked(marker, "kept", id),
    ];
    const start = Math.max(0, text.search(TEST));
    const found = equalitiesInLines(text, marker.nonce, {
      patterns: EQUALITIES,
      isExpected: isOfTwo,
      wrapped,
    });
    const altered = withAltered(text, hasTests ? found.filter(({ from }) => from > start) : [], failures);
    const module = TEST_MODULE.exec(altered);
    const at = module === null ? altered.length : module.index + module[0].length;
    const tests = failures.tests && hasTests ? failingTests(text, marker).join("\n") : "";
    const example = failures.tests && hasExamples ? failingExample(marker) : "";
    return injectedText(insertedAt(altered, at, `\n${tests}\n`) + example, {
      isSure: hasTests && !isSelected(surroundings.setup),
    });
  },
};
