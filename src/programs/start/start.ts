import { stateHome } from "../../storage/home/state-home.ts";
import { compiledCodeIn, type CompiledCode } from "./compiled-code.ts";
import type * as Vm from "node:vm";
import { brotliDecompressSync } from "node:zlib";

/** Added by the build: a function that contains nothing but a comment, with a table of the program's parts and their texts. */
declare function PART_TEXTS(): void;

/**
 * Loads an entry of the program this is built into. Keeps the compiled code for the next start if it is worth it: it only
 * contains the functions that ran.
 */
export function loadPart(entry: string, options: { readonly keeps: boolean }): unknown {
  const load = createLoader({
    // A comment costs almost nothing until it is needed.
    text: PART_TEXTS.toString(),
    filename: __filename,
    require,
    compiled: compiledCodeIn(homeOrNone(), options),
  });
  return load(entry);
}

/** Code that needs the state home reports that there is none. Nothing can be kept inside a device. */
function homeOrNone(): string {
  try {
    return stateHome(process.env);
  } catch {
    return "/dev/null";
  }
}

/** The first line in the comment. The texts of the parts follow it, in this order and without a gap. */
interface PartTable {
  /** Of all texts, in hexadecimal digits. */
  readonly digest: string;
  readonly names: readonly string[];
  readonly lengths: readonly number[];
  /** So many parts, from the first, are there as they are. */
  readonly plain: number;
  /** The others are compressed, several as one, and in base64: how many parts, and how many characters in the comment. */
  readonly packs: readonly (readonly [count: number, length: number])[];
  /** The numbers of the parts that each imports at once. */
  readonly imports: readonly (readonly number[])[];
}

interface Program {
  /** Of a function with the comment that `scripts/parts.mjs` writes. */
  readonly text: string;
  readonly filename: string;
  /** Node's own, for Node's own modules. */
  readonly require: Require;
  readonly compiled: CompiledCode;
}

type Require = (name: string) => unknown;
type Part = (module: { exports: unknown }, exports: unknown, require: Require) => void;

/** The build's escape for what would end the comment with the parts. */
const COMMENT_END = "*\u0001/";

/** Loads an entry of a program. It stays text until then; then it is compiled as a whole, without what is already loaded. */
export function createLoader({ text, filename, require, compiled }: Program): Require {
  const { digest, numbers, importsOf, textOf } = readParts(text);
  const parts = new Map<number, Part>();
  /** The entries that were compiled, in their order: each text lacks what those before it have. */
  const compiledEntries: number[] = [];
  const modules = new Map<number, { exports: unknown }>();

  function load(name: string): unknown {
    const number = numbers.get(name);
    if (number === undefined) return require(name);
    const loaded = modules.get(number);
    if (loaded !== undefined) return loaded.exports;
    if (!parts.has(number)) compile(name, number);
    const module = { exports: {} };
    modules.set(number, module);
    parts.get(number)?.(module, module.exports, load);
    return module.exports;
  }

  function compile(name: string, entry: number): void {
    const missing = withImports(entry).filter((number) => !parts.has(number));
    const id = {
      entry: name,
      digest: [digest, ...compiledEntries.map((each) => each.toString(16))].join("."),
    };
    compiledEntries.push(entry);
    const kept = compiled.find(id);
    const text = kept?.text ?? `[${textOf(missing)}]`;
    const { Script } = require("node:vm") as typeof Vm;
    const script = new Script(text, { filename: `${filename}#${name}`, cachedData: kept?.code });
    if (kept === undefined || script.cachedDataRejected === true) compiled.keepAtEnd(id, { script, text });
    const functions = script.runInThisContext() as readonly Part[];
    for (const [index, number] of missing.entries()) parts.set(number, functions[index] as Part);
  }

  /** The part and everything it imports at once, in the order of the table. */
  function withImports(entry: number): readonly number[] {
    const found = new Set([entry]);
    for (const number of found) for (const each of importsOf(number)) found.add(each);
    return [...found].toSorted((a, b) => a - b);
  }

  return load;
}

interface Parts {
  readonly digest: string;
  readonly numbers: ReadonlyMap<string, number>;
  readonly importsOf: (part: number) => readonly number[];
  /** Each a function in parentheses, which tell V8 that it runs right away and need not be pre-parsed; and a comma. */
  readonly textOf: (parts: readonly number[]) => string;
}

function readParts(text: string): Parts {
  const line = text.indexOf("\n");
  const table = JSON.parse(text.slice(text.indexOf("{", text.indexOf("/*")), line)) as PartTable;
  const texts = textsOf(table, text, line + 1);
  return {
    digest: table.digest,
    numbers: new Map(table.names.map((name, part) => [name, part])),
    importsOf: (part) => table.imports[part] ?? [],
    textOf: (parts) => parts.map((part) => texts[part]?.() ?? "").join(""),
  };
}

/** Each part's own, as a function: most starts ask for a few. */
function textsOf(
  { lengths, plain, packs }: PartTable,
  text: string,
  start: number,
): readonly (() => string)[] {
  const texts: (() => string)[] = [];
  let at = start;
  const next = (length: number): (() => string) => {
    const from = at;
    at += length;
    return () => text.slice(from, from + length);
  };
  for (const length of lengths.slice(0, plain)) {
    const written = next(length);
    texts.push(() => written().replaceAll(COMMENT_END, "*/"));
  }
  for (const [count, length] of packs) {
    const written = next(length);
    let unpacked: string | undefined;
    let end = 0;
    for (const size of lengths.slice(texts.length, texts.length + count)) {
      const from = end;
      end += size;
      texts.push(() => (unpacked ??= decompressed(written())).slice(from, from + size));
    }
  }
  return texts;
}

function decompressed(base64: string): string {
  return brotliDecompressSync(Buffer.from(base64, "base64")).toString("latin1");
}
