import type { Mistake } from "../definitions/source-judge.ts";
import { isTestPath } from "../definitions/test-files.ts";
import { readLines } from "./code-and-comments.ts";

/** A place that tells a linter, a type checker, a compiler or a coverage tool to be silent. */
export interface Suppression {
  readonly path: string;
  readonly line: number;
  /** As it is written: `@ts-ignore`, `shellcheck disable=SC2086`. */
  readonly word: string;
}

interface Form {
  /** null: a tool that isn't known, which may report anything. */
  readonly silences: readonly Mistake[] | null;
  readonly word: RegExp;
}

const OFF = "(?:disabled?|ignored?|suppress(?:ed)?|skip|off|no-?check|no-?lint|noqa|exclude)";

function switchedOff(tool: string): RegExp {
  return new RegExp(`^@?(?:[a-z]+-)?${tool}(?:-[a-z]+){0,2}[-:]${OFF}(?![a-z])\\S*`);
}

/** At the start of a comment. What follows without a blank belongs to it. */
const COMMENTS: readonly Form[] = [
  { silences: ["types"], word: /^@ts-(?:ignore|expect-error|nocheck)\b/ },
  { silences: ["types"], word: /^@type\s*\{\s*(?:any|\*)\s*\}/ },
  {
    silences: ["types"],
    word: /^(?:type|mypy|pyright|basedpyright|pyre|pytype|ty):\s*(?:ignore|disable|skip|basic|allow|strict\s*=\s*false|report\w+\s*=\s*(?:false|none))[^\s#]*/i,
  },
  { silences: ["types"], word: /^pyre-(?:ignore|fixme|unsafe)\S*/ },
  { silences: ["types"], word: /^typed:\s*(?:false|ignore)\b/ },
  { silences: ["types"], word: /^@(?:phpstan-ignore|psalm-suppress)\S*(?:\s+\w+)?/ },
  { silences: ["coverage"], word: /^(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b/ },
  { silences: ["coverage"], word: /^pragma:\s*no\s*(?:cover|branch)\b/ },
  { silences: ["coverage"], word: /^(?::nocov:|(?:LCOV|GCOVR?)_EXCL\w*|@codeCoverageIgnore\w*)/ },
  { silences: ["form"], word: /^(?:fmt|yapf|autopep8|isort):\s*(?:off|skip\w*|disable)\b/ },
  { silences: ["form"], word: /^(?:prettier-ignore|dprint-ignore|clang-format off|@formatter:off)\S*/ },
  { silences: ["rules"], word: /^(?:(?:ruff|flake8|pylint):\s*)?(?:noqa|nosec)\b[^\s#]*/i },
  { silences: ["rules"], word: /^(?:nolint|NOSONAR)\w*(?:[:(]\S*)?/i },
  { silences: ["rules"], word: /^(?:pylint|rubocop|phpcs):\s*(?:disable|ignore|skip|todo)\S*/ },
  { silences: ["rules"], word: /^(?:shellcheck|hadolint|yamllint)\s+(?:disable|ignore)\S*/ },
  { silences: ["rules"], word: /^(?:eslint|jshint|jslint)\s+[\w@/-]+\s*:/ },
  { silences: ["rules"], word: /^globals?\s+[\w$]+(?:\s*:\s*\w+)?(?=\s*(?:,|$))/ },
  { silences: ["rules", "types"], word: /^@?noinspection\b/ },
  { silences: ["rules", "build"], word: /^@SuppressWarnings\b\S*/ },
  // `eslint-disable-next-line`, `lint:ignore`, `some-tool-ignore`: the name says what it silences, if anything does.
  { silences: ["rules"], word: switchedOff("[a-z]*lint") },
  { silences: ["form"], word: switchedOff("[a-z]*(?:fmt|format)") },
  { silences: null, word: switchedOff("[a-z][\\w.]*") },
];

const ANY = /\bas\s+(?:any|never|unknown\s+as)\b|[:<|]\s*any\b(?![\w(.])|\bany\s*>/g;
const PYTHON_ANY =
  /(?:->|:)\s*(?:typing\.|t\.)?Any\b|@(?:typing\.)?no_type_check\b|\bcast\(\s*(?:typing\.)?Any\b/g;

/** Code in a text, which no tool that reads source looks into. */
const EVALUATED: readonly (readonly [files: RegExp, word: RegExp])[] = [
  [/\.[cm]?[jt]sx?$/, /\bnew\s+Function\s*\(|(?<![.\w$])eval\s*\(|\bvm\.(?:run|compile)\w*\s*\(/g],
  [/\.pyi?$/, /(?<![.\w])(?:exec|eval)\s*\(/g],
  [/\.rb$/, /(?<![.\w])(?:instance_|class_|module_)?eval\b/g],
  [/\.php$/, /(?<![\w>:$])eval\s*\(/g],
];

const CODE: readonly (Form & { readonly files: RegExp; readonly isOfTestsToo: boolean })[] = [
  // Tests stand in for whole objects with a part of them.
  { silences: ["types"], files: /\.[cm]?tsx?$/, word: ANY, isOfTestsToo: false },
  { silences: ["types"], files: /\.pyi?$/, word: PYTHON_ANY, isOfTestsToo: false },
  {
    silences: ["build", "rules"],
    files: /\.(?:java|kts?|scala|groovy|cs)$/,
    word: /@Suppress(?:Warnings|Lint)?\b|\bSuppressMessage\b|#pragma\s+warning\s+disable\b|#nullable\s+disable\b/g,
    isOfTestsToo: true,
  },
  {
    silences: ["build", "rules"],
    files: /\.(?:c|cc|cpp|cxx|h|hpp|m|mm)$/,
    word: /#\s*pragma\s+(?:(?:GCC|clang)\s+(?:diagnostic\s+(?:ignored|warning)|system_header)|warning\s*\()/g,
    isOfTestsToo: true,
  },
  {
    silences: ["build", "rules"],
    files: /\.rs$/,
    word: /#!?\[\s*(?:cfg_attr\([^\]\n]{0,60},\s*)?(?:allow|expect)\s*\([^)\n]{0,100}\)/g,
    isOfTestsToo: true,
  },
  { silences: ["form"], files: /\.rs$/, word: /#!?\[\s*rustfmt::skip\b/g, isOfTestsToo: true },
  ...EVALUATED.map(([files, word]) => ({
    silences: ["types", "rules", "coverage"] as const,
    files,
    word,
    isOfTestsToo: false,
  })),
];

/** What a file silences of what is reported. */
export function suppressionsIn(
  path: string,
  text: string,
  reported: ReadonlySet<Mistake>,
): readonly Suppression[] {
  const isSilenced = ({ silences }: Form): boolean =>
    silences === null || silences.some((each) => reported.has(each));
  const inCode = CODE.filter(
    (form) => form.files.test(path) && isSilenced(form) && (form.isOfTestsToo || !isTestPath(path)),
  );
  return readLines(path, text).flatMap(({ code, comments }, at) => {
    const words = [
      ...comments.flatMap((comment) => {
        // The first form decides: a formatter's directive isn't an unknown tool's.
        const form = COMMENTS.find(({ word }) => word.test(comment));
        return form !== undefined && isSilenced(form) ? [form.word.exec(comment)?.[0] ?? ""] : [];
      }),
      ...inCode.flatMap(({ word }) => code.match(word) ?? []),
    ];
    return words.map((word) => ({ path, line: at + 1, word: word.replaceAll(/\s+/g, " ").trim() }));
  });
}

/** Those that are there more often than before, wherever in the project: what moved isn't new. */
export function newSuppressions(
  before: readonly Suppression[],
  now: readonly Suppression[],
): readonly Suppression[] {
  const inPlace = countOf(before, ({ path, word }) => `${path}\0${word}`);
  const moved = now.filter((each) => !take(inPlace, `${each.path}\0${each.word}`));
  const left = new Map<string, number>();
  for (const [key, count] of inPlace) {
    const word = key.slice(key.indexOf("\0") + 1);
    left.set(word, (left.get(word) ?? 0) + count);
  }
  return moved.filter(({ word }) => !take(left, word));
}

function countOf(all: readonly Suppression[], keyOf: (each: Suppression) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count === 0) return false;
  counts.set(key, count - 1);
  return true;
}

/** Whether the user's words name that file: then it is where they want it. */
export function namesFile(spec: string, path: string): boolean {
  return spec
    .split(/[\s"'`()<>,;]+/)
    .some((word) => word.replace(/^\.\//, "").replace(/[.:!?]+$/, "") === path);
}

const ASKS =
  /\b(?:suppress|silence|ignore|disable|exclude|allow|exempt)\w*\b[^.\n]{0,80}\b(?:warning|error|lint|linter|rule|diagnostic|coverage|type check|check)\w*/i;
const REFUSES =
  /\b(?:no|not|never|without|avoid|instead of|rather than|forbid\w*|remove|delete|drop|replace|get rid of)\b|n't\b/i;

/** Whether the user's words ask for it: they name it, or say that something shall be silent. */
export function isAskedFor(spec: string, { word }: Pick<Suppression, "word">): boolean {
  return spec
    .split(/(?<=[.!?;])\s|\n/)
    .filter((sentence) => !REFUSES.test(sentence))
    .some((sentence) => ASKS.test(sentence) || sentence.includes(nameOfWord(word)));
}

/** Without its arguments; a plain word of English counts only as code. */
function nameOfWord(word: string): string {
  const name = /^[@\w:# ![-]+?(?=[=(\]]|$)/.exec(word)?.[0].replace(/^[:<|]\s*/, "") ?? word;
  return /^\w+$/.test(name) && !/[A-Z_\d]/.test(name) ? `\`${name}\`` : name;
}
