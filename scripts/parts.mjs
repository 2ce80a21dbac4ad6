// Splits a program into parts that are loaded on demand, and writes it as one file: a starter, and the parts in a comment.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { compileFunction } from "node:vm";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

const require = createRequire(import.meta.url);

const base = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  // Node has them. Otherwise they become calls, which run at each start whether anybody needs them or not.
  supported: { "regexp-unicode-property-escapes": true },
  // Some packages have their ES modules only there; what they offer as CommonJS cannot be bundled.
  mainFields: ["module", "main"],
  minify: true,
  // The licences of what is bundled go into a file of their own.
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  write: false,
};

/** Node modules that most starts don't need, and that take a millisecond or more to load. */
const LATE = ["child_process", "crypto", "fs/promises", "os", "readline", "timers/promises", "zlib"];

/** Node's module as functions that load it when they are called. */
const lateModules = {
  name: "late-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^node:(${LATE.join("|")})$`) }, ({ path, namespace, kind }) => {
      if (namespace.startsWith("late") || kind === "dynamic-import") return { path, external: true };
      return { path, namespace: kind === "require-call" ? "late-required" : "late" };
    });
    onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
      contents: lateFunctions(path, (name) => `export const ${name} =`),
    }));
    onLoad({ filter: /.*/, namespace: "late-required" }, ({ path }) => ({
      contents: lateFunctions(path, (name) => `exports.${name} =`),
    }));
  },
};

function lateFunctions(path, exported) {
  return Object.entries(require(path))
    .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
    .map(([name]) => `${exported(name)} (...given) => require("${path}").${name}(...given);`)
    .join("\n");
}

/**
 * The Markdown parser's table of named characters, 36 KB, without the names. `&amp;` is text either way, and we only ask which lines
 * are code and which are prose.
 */
const withoutCharacterNames = {
  name: "without-character-names",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^decode-named-character-reference$/ }, ({ path }) => ({
      path,
      namespace: "no-names",
    }));
    onLoad({ filter: /.*/, namespace: "no-names" }, () => ({
      contents: "export const decodeNamedCharacterReference = () => false;",
    }));
  },
};

const plugins = [lateModules, withoutCharacterNames];

const FUNCTION_HEAD = "function PART_TEXTS(){/*";

/**
 * The text of a program, and the paths of all that went into it. Each entry begins a part, and each `import()` in one.
 * What the modules in `plain` import stays readable. The other parts are compressed: what the modules in `together` import as one,
 * and the rest as one or, without `together`, one by one.
 */
export async function programOf({ starter, entries, plain = [], together = [], define, banner = "" }) {
  const split = await build({
    ...base,
    entryPoints: entries,
    outdir: "parts",
    splitting: true,
    // Only ES modules can be split. They start slower than CommonJS, which each part is turned into afterwards.
    format: "esm",
    define,
    plugins,
  });
  const started = await build({ ...base, entryPoints: [starter], format: "cjs", plugins });
  const comment = packed(partsOf(split), split.metafile.outputs, { plain, together });
  return {
    program: `${banner}${started.outputFiles[0].text}${FUNCTION_HEAD}${comment}*/}\n`,
    inputs: [started, split].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  };
}

/** The code of each part, by its name. */
function partsOf({ outputFiles, metafile: { inputs, outputs } }) {
  expectPlainModules(inputs);
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => {
      const { imports } = outputs[Object.keys(outputs).find((each) => nameOf(each) === nameOf(path))];
      return [nameOf(path), asAscii(asCommonJs(text, imports))];
    }),
  );
}

/** An ES module that somebody requires gets its values only then, and no variable could be taken from it before. */
function expectPlainModules(inputs) {
  for (const [path, { imports }] of Object.entries(inputs))
    for (const { kind, path: required } of imports)
      if (kind === "require-call" && inputs[required]?.format === "esm")
        throw new Error(`${path} requires ${required}, which is an ES module`);
}

/** As another part imports it. */
function nameOf(path) {
  return `./${basename(path)}`;
}

const IMPORT = /(?<=^|[;}])import(?:(?:\*as )?([\w$]+)from|(\{[^}]*\})from|)"(\.\/[\w.-]+|node:[\w/]+)";/g;
const IMPORT_ON_DEMAND = /\bimport\("(\.\/[\w.-]+|node:[\w/]+)"\)/g;
const DEFAULT_EXPORT = /export default ([\w$]+\(\));/;
const EXPORT = /export\{([^}]*)\};?$/;

/**
 * An ES module as esbuild writes it, with its names as variables. esbuild itself would make them getters of an object, and a held stop
 * would define a thousand of them.
 */
function asCommonJs(text, imports) {
  let count = 0;
  const required = (from) => {
    count += 1;
    return `require("${from}")`;
  };
  const code = text
    .trim()
    .replaceAll(IMPORT, (_, name, names, from) => {
      const binding = name ?? names?.replaceAll(" as ", ":");
      return `${binding === undefined ? "" : `var ${binding}=`}${required(from)};`;
    })
    .replaceAll(IMPORT_ON_DEMAND, (_, from) => `Promise.resolve().then(()=>${required(from)})`)
    .replace(DEFAULT_EXPORT, "exports.default=$1;")
    .replace(EXPORT, (_, names) => names.split(",").map(exported).join(""));
  // What was overlooked is a syntax error, and a text that looks like an import makes the numbers differ.
  compileFunction(code, ["module", "exports", "require"]);
  if (count !== imports.filter(({ kind }) => kind !== "require-call").length)
    throw new Error(`a part has ${count} imports, and esbuild says otherwise`);
  return code;
}

function exported(name) {
  const [own, given = own] = name.split(" as ");
  return `exports.${given}=${own};`;
}

function asFunction(code) {
  return `(function(module,exports,require){${code}\n})`;
}

/** V8 reads a text of plain characters at half the cost. Left over are those in regular expressions and templates. */
function asAscii(code) {
  if (/\braw`[^`]*[^\0-\x7f`]/.test(code)) throw new Error("a raw template would change its meaning");
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The comment: a line with the table of the parts (`PartTable` in src/programs/start), and then their texts, without a gap. */
function packed(codes, outputs, { plain, together }) {
  const plainPaths = [...closureOf(plain, outputs)];
  const joined = [...closureOf(together, outputs)].filter((path) => !plainPaths.includes(path));
  const rest = Object.keys(outputs).filter((path) => !plainPaths.includes(path) && !joined.includes(path));
  const packs = joined.length > 0 ? [joined, rest] : rest.map((path) => [path]);
  const paths = [...plainPaths, ...packs.flat()];
  const textOf = (path) => `${asFunction(codes[nameOf(path)])},`;
  const plainTexts = plainPaths.map((path) => inComment(textOf(path)));
  const packedTexts = packs.map((pack) => compressed(pack.map(textOf).join("")));
  const texts = [...plainTexts, ...packedTexts];
  const table = {
    digest: createHash("sha256").update(texts.join("")).digest("hex").slice(0, 16),
    names: paths.map(nameOf),
    lengths: [...plainTexts, ...packs.flat().map(textOf)].map((text) => text.length),
    plain: plainPaths.length,
    packs: packs.map((pack, index) => [pack.length, packedTexts[index].length]),
    imports: paths.map((path) => importsOf(outputs[path], outputs).map((each) => paths.indexOf(each))),
  };
  return `${JSON.stringify(table)}\n${texts.join("")}`;
}

/** The parts that begin with these modules, and all that they import. */
function closureOf(modules, outputs) {
  const found = new Set();
  const add = (path) => {
    if (found.has(path)) return;
    found.add(path);
    importsOf(outputs[path], outputs).forEach(add);
  };
  for (const module of modules) {
    const path = Object.keys(outputs).find((each) => outputs[each].entryPoint === module);
    if (path === undefined) throw new Error(`no part begins with ${module}`);
    add(path);
  }
  return found;
}

/** What a part imports at once, and not on demand. No two parts import each other, so each finds what it imports. */
function importsOf({ imports }, outputs) {
  return imports
    .filter(({ kind, path }) => kind === "import-statement" && path in outputs)
    .map(({ path }) => path);
}

/** In a form that can stand in a comment. */
function inComment(text) {
  if (text.includes("\u0001")) throw new Error("a part has the mark of a comment's end");
  return text.replaceAll("*/", "*\u0001/");
}

function compressed(text) {
  return brotliCompressSync(text).toString("base64");
}
