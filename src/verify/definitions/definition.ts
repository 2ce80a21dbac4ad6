import { describeCheck, type CommandLine } from "../../core/loop/criterion.ts";
import { oneLine } from "../../system/text/plain-text.ts";

/**
 * `script`: what a command calls. `config`: how the tools behind it are set up. `test`: the files with its tests.
 * `inline`: one test by its name, inside a source file. `input`: what a script reads that judges, or a script whose name doesn't
 * say that it judges; it may be the work instead.
 */
export type DefinitionKind = "script" | "config" | "test" | "inline" | "input";

/** One file, or one part of a file, that defines a check. */
export interface Definition {
  readonly kind: DefinitionKind;
  /** Relative to the project's root, with slashes. */
  readonly path: string;
  /** `scripts.test` of a package.json, `[tool.pytest]` of a pyproject.toml; null: the whole file. */
  readonly part: string | null;
  /** null: it would count, but is absent. */
  readonly digest: string | null;
}

export interface DefinitionChange {
  /** `built`: a check or a compiler makes it, so what it is made from judges. */
  readonly kind: DefinitionKind | "built";
  readonly path: string;
  readonly part: string | null;
  readonly change: "added" | "changed" | "removed";
}

export function keyOf({ path, part }: Pick<Definition, "path" | "part">): string {
  return `${path}\0${part ?? ""}`;
}

export function inOrder(definitions: Iterable<Definition>): readonly Definition[] {
  return [...definitions].sort((one, other) => compare(sortKey(one), sortKey(other)));
}

const RANK: Record<DefinitionKind, number> = { script: 0, config: 1, test: 2, inline: 3, input: 4 };

function sortKey(definition: Definition): string {
  return `${RANK[definition.kind]}${keyOf(definition)}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** What changed about the definitions since the opening. Absent then and now is not a change. */
export function changedDefinitions(
  baseline: readonly Definition[],
  now: readonly Definition[],
): readonly DefinitionChange[] {
  const before = new Map(baseline.map((each) => [keyOf(each), each]));
  const after = new Map(now.map((each) => [keyOf(each), each]));
  return inOrder(new Map([...after, ...before]).values()).flatMap((each): DefinitionChange[] => {
    const was = before.get(keyOf(each))?.digest ?? null;
    const is = after.get(keyOf(each))?.digest ?? null;
    if (was === is) return [];
    const change = was === null ? "added" : is === null ? "removed" : "changed";
    return [{ kind: each.kind, path: each.path, part: each.part, change }];
  });
}

const NAMED = 8;
const LONGEST = 200;

/** What defines a check, for people: one line with what was found, one with what must stay absent, one with what changed. */
export function definitionLines(check: {
  readonly name: string;
  readonly command: CommandLine;
  readonly folder?: string;
  readonly definitions: readonly Definition[];
  readonly leftOut: number;
  readonly changes: readonly DefinitionChange[];
}): readonly string[] {
  const present = check.definitions.filter((each) => each.digest !== null);
  const own = present
    .filter((each) => ["script", "config", "input"].includes(each.kind))
    .map(nameOfDefinition);
  const tests = present.filter((each) => each.kind === "test");
  const inline = testsOf(present.filter((each) => each.kind === "inline"));
  const found = [
    ...shortened(own),
    ...(tests.length === 1 ? tests.map(nameOfDefinition) : []),
    ...(tests.length > 1 ? [`${tests.length} test files`] : []),
    ...(inline.length > 0
      ? [`${inline.length} ${inline.length === 1 ? "test" : "tests"} inside source files`]
      : []),
    ...(check.leftOut > 0 ? [`${check.leftOut} more that are not checked`] : []),
  ];
  const absent = check.definitions.filter((each) => each.digest === null).map(nameOfDefinition);
  const changed = check.changes.map((each) => `${nameOfDefinition(each)} (${each.change})`);
  const command = oneLine(describeCheck(check), LONGEST);
  const meaning = found.length === 0 ? "nothing in this project" : found.join(", ");
  return [
    `${oneLine(check.name, LONGEST)}: ${command} → ${meaning}`,
    ...(absent.length === 0 ? [] : [`  must stay absent: ${shortened(absent).join(", ")}`]),
    ...(changed.length === 0 ? [] : [`  changed since the opening: ${shortened(changed).join(", ")}`]),
  ];
}

/** Without their expectations, which are separate parts. */
function testsOf(inline: readonly Definition[]): readonly Definition[] {
  const keys = new Set(inline.map(keyOf));
  return inline.filter(({ path, part }) => {
    const end = part?.indexOf(": ") ?? -1;
    return part === null || end === -1 || !keys.has(keyOf({ path, part: part.slice(0, end) }));
  });
}

function shortened(names: readonly string[]): readonly string[] {
  return names.length <= NAMED ? names : [...names.slice(0, NAMED), `${names.length - NAMED} more`];
}

/** `scripts.test in package.json`, or the file's path. */
export function nameOfDefinition({
  path,
  part,
}: Pick<Definition | DefinitionChange, "path" | "part">): string {
  return oneLine(part === null ? path : `${part} in ${path}`, LONGEST);
}
