import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

interface Rule {
  readonly folder: string;
  readonly isPure: boolean;
  readonly folders: readonly string[];
  readonly node: boolean;
  readonly packages: readonly string[];
}

/**
 * The rules stand where people read them: a row of the table in ARCHITECTURE.md is a folder of `src`, or something deeper in
 * one that has rules of its own.
 */
const ROW = /^\| `([\w*/-]+)` *\|([^|]+)\|([^|]*)\| *(yes|no) *\|([^|]*)\|$/gm;

const RULES: ReadonlyMap<string, Rule> = new Map(
  [...readFileSync("ARCHITECTURE.md", "utf8").matchAll(ROW)].map(
    ([, folder = "", purpose = "", folders = "", node, packages = ""]) => [
      folder,
      {
        folder,
        isPure: purpose.trim().endsWith("; pure"),
        folders: namesIn(folders),
        node: node === "yes",
        packages: namesIn(packages),
      },
    ],
  ),
);

function namesIn(cell: string): readonly string[] {
  return cell
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

interface Import {
  readonly file: string;
  readonly target: string;
}

const STATEMENT = /^(?:import|export)\b[^;]*?\bfrom\s*"([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

function importsOf(file: string, text: string): readonly Import[] {
  return [...text.matchAll(STATEMENT)].map((match) => ({
    file,
    target: match[1] ?? match[2] ?? match[3] ?? "",
  }));
}

/** One sentence a violation; none when the import is allowed. */
function violation(each: Import): string | null {
  const { file } = each;
  const folder = folderOf(file);
  const rule = RULES.get(folder);
  const reached = reachedBy(each);
  switch (reached.type) {
    case "node":
      return rule?.node === true ? null : `${file} reaches ${each.target}`;
    case "package":
      return rule?.packages.includes(reached.name) === true
        ? null
        : `${file} uses the package ${reached.name}`;
    case "folder":
      return reached.name === folder || rule?.folders.includes(reached.name) === true
        ? null
        : `${file} imports ${reached.name}/`;
  }
}

function reachedBy({ file, target }: Import): { type: "node" | "package" | "folder"; name: string } {
  if (target.startsWith("node:")) return { type: "node", name: target };
  if (!target.startsWith(".")) return { type: "package", name: target };
  return { type: "folder", name: folderOf(normalize(join(dirname(file), target))) };
}

const DEEPEST_FIRST = [...RULES.keys()]
  .map((row) => row.split("/"))
  .toSorted((one, other) => other.length - one.length);

/** The row that a file belongs to: of those that its path begins with, the longest. */
function folderOf(file: string): string {
  const [, ...path] = file.replace(/\.tsx?$/, "").split("/");
  const row = DEEPEST_FIRST.find((names) =>
    names.every((name, depth) => name === "*" || name === path[depth]),
  );
  return row?.join("/") ?? path[0] ?? "";
}

/** What a rule allows and no file of its folder makes use of. */
function unusedBy(rule: Rule, imports: readonly Import[]): readonly string[] {
  const reached = imports.filter(({ file }) => folderOf(file) === rule.folder).map(reachedBy);
  const isUsed = (type: string, name?: string): boolean =>
    reached.some((each) => each.type === type && (name === undefined || each.name === name));
  return [
    ...rule.folders.filter((name) => !isUsed("folder", name)),
    ...(rule.node && !isUsed("node") ? ["Node"] : []),
    ...rule.packages.filter((name) => !isUsed("package", name)),
  ].map((name) => `${rule.folder} may reach ${name}, and does not`);
}

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => join("src", path))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".test.ts"));

const imports = sources.flatMap((file) => importsOf(file, readFileSync(file, "utf8")));

test("each folder imports only what it may", () => {
  expect(imports.flatMap((each) => violation(each) ?? [])).toEqual([]);
});

test("no folder may import what it does not", () => {
  expect([...RULES.values()].flatMap((rule) => unusedBy(rule, imports))).toEqual([]);
});

test("every folder has a rule, and the rules name no folder that is gone", () => {
  const folders = [...new Set(sources.map(folderOf))].toSorted();
  expect([...RULES.keys()].toSorted()).toEqual(folders);
});

test("the rules have no way round", () => {
  const isBelow = (folder: string, from: string, seen: ReadonlySet<string>): boolean =>
    (RULES.get(from)?.folders ?? []).some(
      (next) => next === folder || (!seen.has(next) && isBelow(folder, next, new Set([...seen, next]))),
    );
  expect([...RULES.keys()].filter((folder) => isBelow(folder, folder, new Set()))).toEqual([]);
});

test("the clock and chance stay out of the pure folders", () => {
  const impure =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.(env|argv|cwd|pid)\b|\bperformance\./;
  const pure = sources.filter((file) => RULES.get(folderOf(file))?.isPure === true);
  expect(pure.length).toBeGreaterThan(20);
  expect(pure.filter((file) => impure.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("something deeper has rules of its own, and its installer those of every host's", () => {
  const planted = [
    'import { readFileSync } from "node:fs";',
    'import type { Installer } from "../../install/installer.ts";',
    'import { read } from "./settings.ts";',
  ].join("\n");
  expect(importsOf("src/agents/hosts/a/install/planted.ts", planted).map(violation)).toEqual([
    null,
    null,
    null,
  ]);
});

test("a permission that nobody uses is found", () => {
  const rule: Rule = { folder: "core", isPure: true, folders: ["views"], node: true, packages: ["execa"] };
  expect(unusedBy(rule, [{ file: "src/core/a.ts", target: "./b.ts" }])).toEqual([
    "core may reach views, and does not",
    "core may reach Node, and does not",
    "core may reach execa, and does not",
  ]);
});

test.each([
  [
    "src/core/planted.ts",
    'import { readFileSync } from "node:fs/promises";',
    "src/core/planted.ts reaches node:fs/promises",
  ],
  [
    "src/core/stop/planted.ts",
    'import { x } from "../../storage/journal/append.ts";',
    "src/core/stop/planted.ts imports storage/",
  ],
  [
    "src/storage/journal/planted.ts",
    'const x = await import("../../engine/run/drive.ts");',
    "src/storage/journal/planted.ts imports engine/",
  ],
  [
    "src/programs/hook/planted.ts",
    'export { x } from "../cli/main.ts";',
    "src/programs/hook/planted.ts imports programs/cli/",
  ],
  [
    "src/agents/hosts/a/planted.ts",
    'import { join } from "node:path";',
    "src/agents/hosts/a/planted.ts reaches node:path",
  ],
  [
    "src/agents/hosts/a/planted.ts",
    'import { install } from "./install/installer.ts";',
    "src/agents/hosts/a/planted.ts imports agents/hosts/*/install/",
  ],
  [
    "src/agents/hosts/a/install/planted.ts",
    'import { HOSTS } from "../../hosts.ts";',
    "src/agents/hosts/a/install/planted.ts imports agents/hosts/",
  ],
  [
    "src/programs/hook/planted.ts",
    'import { INSTALLERS } from "../../agents/hosts/installers.ts";',
    "src/programs/hook/planted.ts imports agents/hosts/installers/",
  ],
  [
    "src/engine/planted.ts",
    'import { Command } from "commander";',
    "src/engine/planted.ts uses the package commander",
  ],
])("the fence bites: %s", (file, text, expected) => {
  expect(importsOf(file, text).map(violation)).toEqual([expected]);
});
