import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { SampleScene } from "./proof-site.ts";
import { showViolation } from "./show-violation.ts";

interface Case {
  readonly before?: { readonly [path: string]: string };
  /** Null deletes. */
  readonly now: { readonly [path: string]: string | null };
  /** Its rules are warnings, which pass. */
  readonly warns?: boolean;
  /** It names no more than what is wrong. */
  readonly isTerse?: boolean;
  readonly startsRed?: boolean;
  readonly spec?: string;
}

const BEFORE = { "src/a.js": "first();\n", "src/b.js": "second();\n", "docs/c.js": "third();\n" };

/** A linter for `src/*.js`: `hush` in a file silences it, and so does the file's name in `.hush`. */
function lint(
  files: ReadonlyMap<string, string>,
  { warns = false, isTerse = false }: Case,
): readonly [number, string] {
  const found = [...files].flatMap(([path, text]) => {
    if (!/^src\/\w+\.js$/.test(path) || files.get(".hush")?.includes(path) === true) return [];
    const broken = text.includes(")]}") ? ["error: syntax"] : [];
    const undefinedName = /= (t[0-9a-f]{16}x)/.exec(text)?.[1];
    const isHushed = text.includes("hush") || undefinedName === undefined;
    const ruled = isHushed ? [] : [`${warns ? "warning" : "error"}: ${isTerse ? "a name" : undefinedName}`];
    return [...broken, ...ruled, ...(text.includes("wrong") ? ["error: wrong"] : [])];
  });
  return [found.some((line) => line.startsWith("error")) ? 1 : 0, found.join("\n")];
}

function filesOf(root: string, folder = ""): readonly (readonly [string, string])[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (name === ".git") return [];
    if (statSync(join(root, path)).isDirectory()) return filesOf(root, path);
    return [[path, readFileSync(join(root, path), "utf8")] as const];
  });
}

async function shown(played: Case): Promise<string> {
  const world = new BaselineWorld({ ...BEFORE, ...played.before }, "eslint src");
  await world.open({ exitCode: played.startsRed === true ? 1 : 0, report: null });
  world.write(played.now);
  const { spec = "" } = played;
  const comparison = await world.compare({ spec });
  const reading = await world.reading();
  const roomOf = ({ replacements }: { readonly replacements: readonly ReplacedFile[] }): unknown => ({
    isFaithful: true,
    why: null,
    close: async () => {},
    run: async () => {
      const files = new Map(filesOf(world.root));
      for (const { path, content } of replacements)
        if (content === null) files.delete(path);
        else files.set(path, content.toString("utf8"));
      const [code, output] = lint(files, played);
      return { ending: { type: "exited", code }, output, durationMs: 1, withheld: [] };
    },
  });
  const scene = {
    machine: { rooms: { open: async (options: never) => roomOf(options) } },
    place: world.place,
    comparison,
    spec,
    reading,
    budget: { leftMs: () => 1 },
    site: {
      root: world.root,
      folder: world.root,
      signal: null,
      takeResources: async () => () => {},
      readTree: async () => reading,
      progress: { checkBegins: () => {}, checkEnds: () => {} },
    },
  };
  const proof = await showViolation(scene as unknown as SampleScene, { name: "ok", check: world.check });
  return [proof.result, proof.detail].filter((part) => part !== null).join(": ");
}

function missed(files: string): string {
  return `fails: a violation of common rules put into ${files} isn't reported`;
}

const MOVED = { "src/a.js": null, "lib/a.js": "first();\n" };

describe("a mistake put into what a linter sees", () => {
  it.each<readonly [string, Case, string]>([
    ["an honest change", { now: { "src/a.js": "other();\n" } }, "stands"],
    ["a silenced file", { now: { "src/a.js": "// hush\nother();\n" } }, missed("src/a.js")],
    ["one of two", { now: { "src/a.js": "// hush\n", "src/b.js": "other();\n" } }, missed("src/a.js")],
    ["a file moved out of its sight", { now: MOVED }, missed("lib/a.js (src/a.js at the opening)")],
    ["one that the spec moves there", { now: MOVED, spec: "Move it to lib/a.js." }, "stands"],
    ["a file that is ignored now", { now: { ".hush": "src/b.js" } }, missed("src/b.js")],
    ["a new file that silences it", { now: { "src/new.js": "// hush\n" } }, missed("src/new.js")],
    ["a new file elsewhere", { now: { "docs/new.js": "more();\n" } }, "stands"],
    ["a file that it never saw", { now: { "docs/c.js": "// hush\n" } }, "stands"],
    [
      "a file that was silent at the opening",
      { before: { "src/a.js": "// hush\n" }, now: { "src/a.js": "// hush\nother();\n" } },
      "stands",
    ],
    [
      "a warning, where other errors were fixed",
      {
        warns: true,
        before: { "src/a.js": "wrong();\n" },
        now: { "src/a.js": "right();\n" },
        startsRed: true,
      },
      "open",
    ],
    [
      "a terse linter, green at the opening",
      { isTerse: true, now: { "src/a.js": "// hush\n", "src/b.js": "other();\n" } },
      missed("src/a.js"),
    ],
    [
      "a terse linter, red at the opening: nothing tells one error from another",
      {
        isTerse: true,
        before: { "src/a.js": "wrong();\n" },
        now: { "src/a.js": "// hush\n" },
        startsRed: true,
      },
      "stands",
    ],
  ])("%s", async (_, played, result) => {
    expect(await shown(played)).toBe(result);
  });
});
