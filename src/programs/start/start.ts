import { stateHome } from "../../storage/home/state-home.ts";
import { compiledCodeIn, type CompiledCode } from "./compiled-code.ts";
import { Script } from "node:vm";

/** Set by the build: the table of the program's parts, and a function whose only comment contains their text. */
declare const PART_TABLE: PartTable;
declare function PART_TEXTS(): void;

/**
 * Loads an entry of the program this is built into. Keeps the compiled code for the next start if it is worth it: it only
 * contains the functions that ran.
 */
export function loadPart(entry: string, options: { readonly keeps: boolean }): unknown {
  const load = createLoader({
    // A comment costs almost nothing until it is needed.
    text: PART_TEXTS.toString(),
    table: PART_TABLE,
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

/** Where each part's text is in its program, and what each entry needs: itself and everything it imports. */
interface PartTable {
  readonly places: { readonly [name: string]: readonly [start: number, end: number] };
  readonly closures: { readonly [entry: string]: readonly string[] };
}

interface Program {
  readonly text: string;
  readonly table: PartTable;
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
export function createLoader({ text, table, filename, require, compiled }: Program): Require {
  const parts = new Map<string, Part>();
  const modules = new Map<string, { exports: unknown }>();

  function load(name: string): unknown {
    if (!Object.hasOwn(table.places, name)) return require(name);
    const loaded = modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    if (!parts.has(name)) compile(name);
    const module = { exports: {} };
    modules.set(name, module);
    parts.get(name)?.(module, module.exports, load);
    return module.exports;
  }

  function compile(entry: string): void {
    const missing = (table.closures[entry] ?? [entry]).filter((name) => !parts.has(name));
    // The parentheses tell V8 that these functions run right away, so it doesn't pre-parse them.
    const source = `[${missing.map((name) => `(function(module,exports,require){${textOf(name)}\n})`).join()}]`;
    const kept = compiled.find(entry, source);
    const script = new Script(source, { filename: `${filename}#${entry}`, cachedData: kept });
    if (kept === undefined || script.cachedDataRejected === true) compiled.keepAtEnd(entry, source, script);
    const functions = script.runInThisContext() as readonly Part[];
    for (const [index, part] of functions.entries()) parts.set(missing[index] ?? "", part);
  }

  function textOf(name: string): string {
    const [start, end] = table.places[name] ?? [0, 0];
    return text.slice(start, end).replaceAll(COMMENT_END, "*/");
  }

  return load;
}
