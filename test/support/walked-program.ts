import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build, transform, type Plugin } from "esbuild";
import { parseAst } from "vitest/node";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** Any node of a parsed module, as far as it is looked at here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/**
 * `loop` and its hook as one program in which each function first says which file it is in. It notes the files in the order in
 * which they are met, one a line, in the file that `LOOP_WALK` names.
 */
export async function buildWalkedProgram(): Promise<string> {
  const outfile = join(makeTemporaryFolder(), "walked.mjs");
  await build({
    entryPoints: ["test/support/walker.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    mainFields: ["module", "main"],
    banner: {
      // While the modules load, nobody walks.
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); globalThis.walkedThrough = () => {};",
    },
    define: { LOOPWRIGHT_VERSION: '"0.0.0"' },
    plugins: [noteFiles],
    logLevel: "error",
  });
  return outfile;
}

const noteFiles: Plugin = {
  name: "note-files",
  setup(builder) {
    builder.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "ts", target: "node20" });
      return { contents: withNotes(code, relative("src", path)), loader: "js" };
    });
  },
};

function withNotes(code: string, file: string): string {
  const note = `globalThis.walkedThrough(${JSON.stringify(file)})`;
  let noted = code;
  const bodies = functionBodies(parseAst(code) as unknown as Node).toSorted(
    (one, other) => other.start - one.start,
  );
  for (const { type, start, end } of bodies) {
    noted =
      type === "BlockStatement"
        ? `${noted.slice(0, start + 1)}${note};${noted.slice(start + 1)}`
        : `${noted.slice(0, start)}(${note},${noted.slice(start, end)})${noted.slice(end)}`;
  }
  return noted;
}

/** Those with an expression as their body are only read from outside: what is inside of one is noted there, too. */
function functionBodies(node: Node): readonly Node[] {
  const found: Node[] = [];
  const visit = (each: Node): void => {
    if (FUNCTIONS.has(each.type)) {
      const body = each["body"] as Node;
      found.push(body);
      if (body.type !== "BlockStatement") return;
    }
    for (const value of Object.values(each))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
  };
  visit(node);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
