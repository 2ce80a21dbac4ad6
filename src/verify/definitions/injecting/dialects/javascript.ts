import { anotherValue, closingOf, LITERAL, withAltered, type Equality } from "../altered.ts";
import { injectedText, type Dialect, type InjectedText, type Surroundings } from "../dialect.ts";
import { below, folderOf } from "../../project-files.ts";
import { assertNames, failingInJavascript } from "../javascript-assertions.ts";
import { insertedAt, markOf, type Marker, type MarkKind } from "../marks.ts";
import { usedIn, words } from "../language.ts";

const RUNNERS = /\b(?:vitest|jest|mocha|node:test|ava|tape?|jasmine|uvu|bun|deno|playwright)\b/;
/** Runners that judge by what a test says to its argument. */
const WITH_ARGUMENT = /(?:from\s*|require\s*\(\s*)["'](ava|tape|tap)["']/;
const ON_OBJECT = /(?:import|const|let|var)\s+(\w+)\s*(?:from|=\s*require\s*\()\s*["'](?:tap|tape)["']/;
/** With a title, a function, or a table before them. */
const CALLED =
  /(?<![.\w$]|function\s)(test|it)(?:\.\w+)*(?:\.each\b|\s*\(\s*(?:["'`]|(?:async\s*)?(?:function\b|\())|\s*\(\s*[\w.]+,)/;
const RENAMED =
  /(?:import|const|let|var)\s*\{[^{}]{0,200}?\b(?:test|it)\s*(?:as\s+|:\s*)(\w+)[^{}]{0,200}\}\s*(?:from|=\s*require\s*\()\s*["'](?!\.)/;
/** Its own function, or one of a file beside it: nobody knows when that looks at its tests. */
const OF_THE_PROJECT =
  /\bfunction\s+(?:test|it)\b|\b(?:const|let|var)\s+(?:test|it)\s*=(?!\s*(?:require\s*\(\s*["'](?!\.)|\w+\.))|(?:import\s+|const\s+)(?:(?:test|it)\b|\{[^{}]{0,200}\b(?:test|it)\b[^{}]{0,200}\})\s*(?:from|=\s*require\s*\()\s*["']\./;
const OWN_EXIT = /\bprocess\.(?:exit|reallyExit)\b/;
const SELECTED =
  /--(?:testNamePattern|test-name-pattern|test-skip-pattern|test-only|grep|fgrep|match|filter|tags?|shard)\b|\s-[tgm]\s|\btestNamePattern\b|\b(?:grep|fgrep)["']?\s*:/;
const SELECTS = /\.only\b|(?<![.\w$])(?:fit|fdescribe)\s*\(/;

/** How a test is added: what is called, and what it does to fail. */
interface Style {
  readonly called: string;
  readonly argument: string | null;
  readonly failing: readonly string[];
  readonly end: string;
}

const ARGUMENT = words({
  is: "t.is(1, 2);",
  equal: "t.equal(1, 2);",
  equals: "t.equals(1, 2);",
  deepEqual: "t.deepEqual({ a: 1 }, { a: 2 });",
  same: "t.same({ a: 1 }, { a: 2 });",
  ok: "t.ok(false);",
  true: "t.true(false);",
  truthy: "t.truthy(0);",
  throws: "t.throws(() => 1);",
});

function styleOf(text: string, { runner }: Surroundings): Style | null {
  const isKnown = runner !== null && RUNNERS.test(runner);
  if (!isKnown && (OF_THE_PROJECT.test(text) || OWN_EXIT.test(text))) return null;
  // node:test runs files as they are: without its functions, they have others.
  if (runner === "node:test" && !/["']node:test["']/.test(text)) return null;
  const library = WITH_ARGUMENT.exec(text)?.[1];
  const object = library === undefined ? undefined : ON_OBJECT.exec(text)?.[1];
  const isOnObject = object !== undefined && new RegExp(`\\b${object}\\.test\\s*\\(`).test(text);
  const plain = RENAMED.exec(text)?.[1] ?? CALLED.exec(text)?.[1];
  const called = isOnObject ? `${object}.test` : (plain ?? object);
  if (called === undefined) return null;
  if (library === undefined) return { called, argument: null, failing: failingInJavascript(text), end: "" };
  const failing = usedIn(text, ARGUMENT).map((line) => line.replace(/^t\./, "argument."));
  return { called, argument: "argument", failing, end: library === "ava" ? "" : "argument.end();" };
}

interface Writing {
  readonly marker: Marker;
  readonly isTyped: boolean;
}

function nameOf({ nonce }: Marker): string {
  return `mark_${nonce}`;
}

function marked({ marker }: Writing, kind: MarkKind, id = 0): string {
  return `${nameOf(marker)}("${markOf(marker, kind, id)}")`;
}

/** Neither `require` nor `import` is there in every file, and a test may have replaced the module. */
function writeStatement({ path }: Marker, word: string, isTyped: boolean): string {
  const global = isTyped ? "(globalThis as any)" : "globalThis";
  return `try { ${global}.process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(path)}, ${word} + "\\n"); } catch {}`;
}

function markFunction({ marker, isTyped }: Writing): string {
  const word = isTyped ? "word: any" : "word";
  return `function ${nameOf(marker)}(${word}) { ${writeStatement(marker, "word", isTyped)} }`;
}

function failingTests(style: Style, writing: Writing): readonly string[] {
  const { called, argument, failing, end } = style;
  const first = argument === null ? `throw new Error("x");` : `${argument}.fail();`;
  const parameter = argument === null ? "" : writing.isTyped ? `${argument}: any` : argument;
  // What a test says to its argument is counted; everything else ends the test.
  const behind = (id: number): string =>
    argument !== null || id === 1 ? end : survivedUnlessCounted(writing, id);
  return [first, ...failing].map((line, at) => {
    const id = at + 1;
    const title = `${writing.marker.nonce} ${id}`;
    // A helper may be loaded where nobody has such a function.
    return `;if (typeof ${called} === "function") ${called}("${title}", (${parameter}) => { ${marked(writing, "ran", id)}; ${line} ${behind(id)} });`;
  });
}

/** jasmine's `expect` goes on. */
function survivedUnlessCounted(writing: Writing, id: number): string {
  return `if (!("jasmine" in globalThis)) ${marked(writing, "survived", id)};`;
}

const EXPECTED = new RegExp(
  String.raw`^\s*\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.be\.equal|to\.eql|to\.deep\.equal)\(\s*(${LITERAL})\s*\)(?!\s*[.(])`,
);
const LITERAL_ARGUMENT = new RegExp(`^\\s*(${LITERAL})\\s*$`);
/** An assertion that is waited for, or tried until it passes. */
const IS_REPEATED = /\bawait\s+$|\b(?:waitFor|eventually|poll|retry|until)\w*\s*\([^;]*$/;
const MOST_TRIED = 2_000;

/** Calls that throw where two values differ, one of them a literal. Their value is never used, so `void` fits wherever they stand. */
function equalities(text: string, writing: Writing): readonly Equality[] {
  const { objects, functions } = assertNames(text);
  const equal = "(?:strict\\.)?(?:equal|strictEqual|deepEqual|deepStrictEqual)";
  const named = functions
    .filter(({ name }) => /^(?:deep)?(?:strict)?equal$/i.test(name))
    .map(({ alias }) => alias);
  const heads = ["expect", ...objects.map((object) => `${object}\\.${equal}`), ...named];
  const head = new RegExp(`(?<![.\\w$])(?:${heads.join("|")})\\(`, "g");
  const found: Equality[] = [];
  for (const match of [...text.matchAll(head)].slice(0, MOST_TRIED)) {
    const inside = match.index + match[0].length;
    const end = closingOf(text, inside);
    const literal =
      end === null
        ? null
        : match[0] === "expect("
          ? expectedLiteral(text, end.at + 1)
          : end.commas.length === 1
            ? literalBetween(text, (end.commas[0] ?? 0) + 1, end.at)
            : null;
    if (literal === null || end === null) continue;
    const to = literal.callEnds;
    const call =
      text.slice(match.index, literal.from) +
      anotherValue(literal.text, writing.marker.nonce) +
      text.slice(literal.from + literal.text.length, to);
    const isStatement = isOwnLine(text, match.index, to);
    const replaced = (id: number): string => {
      const [reached, kept] = [marked(writing, "reached", id), marked(writing, "kept", id)];
      const unlessCounted = `"jasmine" in globalThis || ${kept}`;
      return isStatement
        ? `{ ${reached};\n${call};\n${unlessCounted} }`
        : `void [${reached}, ${call}, ${unlessCounted}]`;
    };
    if (!IS_REPEATED.test(text.slice(Math.max(0, match.index - 80), match.index)))
      found.push({ from: match.index, to, replaced });
  }
  return found;
}

/** Whether a call is a statement with a line of its own: it keeps that, so that whoever looks for an answer there finds the altered one. */
function isOwnLine(text: string, from: number, to: number): boolean {
  const before = /(\S)?[ \t]*\n[ \t]*$/.exec(text.slice(0, from))?.[1];
  return before !== undefined && /[{};)]/.test(before) && /^;[ \t]*(?:\n|$)/.test(text.slice(to, to + 80));
}

interface FoundLiteral {
  readonly from: number;
  readonly text: string;
  readonly callEnds: number;
}

function expectedLiteral(text: string, from: number): FoundLiteral | null {
  const match = EXPECTED.exec(text.slice(from, from + 400));
  if (match?.[1] === undefined) return null;
  return {
    from: from + match[0].lastIndexOf(match[1]),
    text: match[1],
    callEnds: from + match[0].length,
  };
}

function literalBetween(text: string, from: number, to: number): FoundLiteral | null {
  const literal = LITERAL_ARGUMENT.exec(text.slice(from, to))?.[1];
  if (literal === undefined) return null;
  return { from: text.indexOf(literal, from), text: literal, callEnds: to + 1 };
}

const TYPED = /\.[cm]?tsx?$/;
const STATIC_IMPORT = /^[ \t]*import\b(?!\s*[(.])/m;
/** What has to stay first: the interpreter, comments that set something, directives. */
const PROLOGUE =
  /^(?:#![^\n]*\n)?(?:\s+|\/\/[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|["']use [a-z]+["'];?)*/;

type Loaded = Pick<InjectedText, "text" | "beside">;

/** Imports come before every statement, so only another import comes before them. */
function withLoaded(
  { path, text }: { readonly path: string; readonly text: string },
  { marker, isTyped }: Writing,
): Loaded {
  const at = PROLOGUE.exec(text)?.[0].length ?? 0;
  const word = JSON.stringify(markOf(marker, "loaded"));
  const module = STATIC_IMPORT.test(text) ? moduleBeside({ path, text }, { marker, isTyped }) : null;
  if (module === null)
    return {
      text: insertedAt(text, at, `/* eslint-disable */ ${writeStatement(marker, word, isTyped)} `),
      beside: [],
    };
  return {
    text: insertedAt(text, at, `/* eslint-disable */ import "${module.name}"; `),
    beside: [
      {
        path: module.path,
        text: `/* eslint-disable */\n${writeStatement(marker, word, isTyped)}\n${module.end}`,
      },
    ],
  };
}

const OWN_MODULE = /\bfrom\s*["']\.{1,2}\/[^"'\n]*?(\.[cm]?[jt]sx?)?["']/;

/**
 * Where nothing compiles it, at the root, where no runner looks for tests. TypeScript may be compiled to elsewhere and brings along
 * what is imported as the file imports others. null: it imports nothing of its own.
 */
function moduleBeside(
  { path, text }: { readonly path: string; readonly text: string },
  { marker, isTyped }: Writing,
): { readonly name: string; readonly path: string; readonly end: string } | null {
  const name = `${marker.nonce}_${marker.file}`;
  if (!isTyped) {
    const up = "../".repeat(path.split("/").length - 1) || "./";
    return { name: `${up}${name}.cjs`, path: `${name}.cjs`, end: "" };
  }
  const own = OWN_MODULE.exec(text);
  if (own === null) return null;
  const ending = own[1] ?? "";
  const file = ending === "" ? ".ts" : ending.replace("j", "t").replace("x", "");
  return {
    name: `./${name}${ending.replace("x", "")}`,
    path: below(folderOf(path), name + file),
    end: "export {};\n",
  };
}

/** `test.run()`, which some runners want at the end. */
const LAST_CALL = /\n[\w$]+\.run\(\);?\s*$/;

export function withWrongValuesInJavascript(
  { path, text }: { readonly path: string; readonly text: string },
  marker: Marker,
): string {
  const writing = { marker, isTyped: TYPED.test(path) };
  return `${withAltered(text, equalities(text, writing), { altered: "all" })}\n${markFunction(writing)}\n`;
}

export const JAVASCRIPT_TESTS: Dialect = {
  file: /\.[cm]?[jt]sx?$/,
  inject: ({ path, text }, marker, { surroundings, failures }) => {
    const style = styleOf(text, surroundings);
    if (style === null) return null;
    const writing = { marker, isTyped: TYPED.test(path) };
    const altered = style.argument === null ? withAltered(text, equalities(text, writing), failures) : text;
    const { text: loaded, beside } = withLoaded({ path, text: altered }, writing);
    const end = LAST_CALL.exec(loaded)?.index ?? loaded.length;
    const added = [
      ...(failures.tests ? failingTests(style, writing) : []),
      markFunction(writing),
      `${marked(writing, "read")};`,
    ];
    return injectedText(insertedAt(loaded, end, `\n\n\n${added.join("\n")}\n`), {
      beside,
      isSure: !SELECTS.test(text) && !SELECTED.test(surroundings.setup),
      endsItself: OWN_EXIT.test(text),
    });
  },
};
