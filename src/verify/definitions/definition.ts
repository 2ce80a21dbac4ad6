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
  readonly kind: DefinitionKind;
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
  opening: readonly Definition[],
  now: readonly Definition[],
): readonly DefinitionChange[] {
  const before = new Map(opening.map((each) => [keyOf(each), each]));
  const after = new Map(now.map((each) => [keyOf(each), each]));
  return inOrder(new Map([...after, ...before]).values()).flatMap((each): DefinitionChange[] => {
    const was = before.get(keyOf(each))?.digest ?? null;
    const is = after.get(keyOf(each))?.digest ?? null;
    if (was === is) return [];
    const change = was === null ? "added" : is === null ? "removed" : "changed";
    return [{ kind: each.kind, path: each.path, part: each.part, change }];
  });
}
