// Splits a program into parts that are loaded on demand, and writes it as one file: a starter, and the parts in a comment.
import { createRequire } from "node:module";
import { basename } from "node:path";
import { build, transform } from "esbuild";

const require = createRequire(import.meta.url);

const base = {
  bundle: true,
  platform: "node",
  target: "node20.19",
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
    onResolve({ filter: new RegExp(`^node:(${LATE.join("|")})$`) }, ({ path, namespace, kind }) =>
      namespace === "late" || kind === "dynamic-import"
        ? { path, external: true }
        : { path, namespace: "late" },
    );
    onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({ contents: lateModule(path) }));
  },
};

function lateModule(path) {
  const functions = Object.entries(require(path)).filter(
    ([name, value]) => typeof value === "function" && /^[a-z]/.test(name),
  );
  return functions
    .map(([name]) => `export const ${name} = (...given) => require("${path}").${name}(...given);`)
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

/** The text of a program, and the paths of all that went into it. Each entry begins a part, and each `import()` in one. */
export async function programOf({ starter, entries, define, banner = "" }) {
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
  const { table, text } = packed(await partsOf(split), closuresOf(split.metafile.outputs));
  const started = await build({
    ...base,
    entryPoints: [starter],
    format: "cjs",
    define: { PART_TABLE: JSON.stringify(table) },
    plugins,
  });
  return {
    program: `${banner}${started.outputFiles[0].text}${FUNCTION_HEAD}${text}*/}\n`,
    inputs: [started, split].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  };
}

async function partsOf({ outputFiles }) {
  return Promise.all(outputFiles.map(async ({ path, text }) => [nameOf(path), await asCommonJs(text)]));
}

/** As another part imports it. */
function nameOf(path) {
  return `./${basename(path)}`;
}

async function asCommonJs(text) {
  const { code } = await transform(text, {
    platform: "node",
    target: base.target,
    format: "cjs",
    minify: true,
    // `import()` becomes a promise of `require()`.
    supported: { "dynamic-import": false },
  });
  return asAscii(code.trimEnd());
}

/** V8 reads a text of plain characters at half the cost. Left over are those in regular expressions and templates. */
function asAscii(code) {
  if (/\braw`[^`]*[^\0-\x7f`]/.test(code)) throw new Error("a raw template would change its meaning");
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** For each part that is imported on demand: itself, and all that it imports. */
function closuresOf(outputs) {
  const closure = (path, seen = new Set()) => {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const each of outputs[path].imports)
      if (each.kind === "import-statement" && each.path in outputs) closure(each.path, seen);
    return seen;
  };
  const entries = Object.keys(outputs).filter((path) => outputs[path].entryPoint !== undefined);
  return Object.fromEntries(entries.map((path) => [nameOf(path), [...closure(path)].map(nameOf)]));
}

/** All parts in one text that can stand in a comment, and where each of them is, seen from that function's beginning. */
function packed(parts, closures) {
  let text = "";
  const places = {};
  for (const [name, code] of parts) {
    if (code.includes("\u0001")) throw new Error(`${name} has the mark of a comment's end`);
    const start = FUNCTION_HEAD.length + text.length;
    text += code.replaceAll("*/", "*\u0001/");
    places[name] = [start, FUNCTION_HEAD.length + text.length];
  }
  return { text, table: { places, closures } };
}
