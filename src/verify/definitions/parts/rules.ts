/** A rule of a Makefile or a justfile: its target, its prerequisites, and its lines. */
export interface Rule {
  readonly targets: readonly string[];
  readonly prerequisites: readonly string[];
  /** What else it needs is worked out by make. */
  readonly isOpen: boolean;
  readonly recipe: readonly string[];
  readonly text: string;
}

export interface RuleFile {
  readonly rules: readonly Rule[];
  readonly variables: ReadonlyMap<string, string>;
  readonly includes: readonly string[];
}

const ASSIGNMENT = /^(?:export\s+|override\s+|private\s+)*([A-Za-z_.][\w.-]*)\s*(?:::?:?|\?|\+|!)?=\s*(.*)$/;
const HEADER = /^(@?[^\s:=#][^:=#]*?)\s*(?:::?)(?!=)\s*([^;#]*)(?:;(.*))?/;

export function readRules(source: string): RuleFile {
  const rules: Rule[] = [];
  const variables = new Map<string, string>();
  const includes: string[] = [];
  let current: (Omit<Rule, "recipe" | "text"> & { recipe: string[]; lines: string[] }) | null = null;
  const finish = (): void => {
    if (current !== null) rules.push({ ...current, text: current.lines.join("\n") });
    current = null;
  };
  for (const line of source.replaceAll(/\\\r?\n[ \t]*/g, " ").split("\n")) {
    if (/^[ \t]/.test(line) && current !== null) {
      const text = line.trim();
      if (text !== "" && !text.startsWith("#")) {
        current.recipe.push(text);
        current.lines.push(`\t${text}`);
      }
      continue;
    }
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const assignment = ASSIGNMENT.exec(text);
    const include = /^[-s]?include\s+(.+)$|^import\s+['"]([^'"]+)['"]/.exec(text);
    if (assignment !== null) {
      const [, name = "", value = ""] = assignment;
      variables.set(name, variables.has(name) ? `${variables.get(name)}\n${value}` : value);
    } else if (include !== null) includes.push(...(include[1] ?? include[2] ?? "").split(/\s+/));
    else {
      const header = HEADER.exec(text);
      finish();
      if (header !== null) current = rule(header, text);
    }
  }
  finish();
  return { rules, variables, includes };
}

function rule([, names = "", after = "", first]: RegExpExecArray, line: string) {
  const recipe = first === undefined || first.trim() === "" ? [] : [first.trim()];
  return {
    targets: names.replace(/^@/, "").split(/\s+/),
    prerequisites: after.split(/\s+/).filter((word) => /^[\w./-]+$/.test(word)),
    isOpen: after.includes("$"),
    recipe,
    lines: [line.replaceAll(/\s+/g, " ")],
  };
}

export function rulesFor({ rules }: RuleFile, target: string): readonly Rule[] {
  return rules.filter((each) => each.targets.includes(target));
}

/** `target NAME` or `variable NAME`. */
export function rulesPart(file: RuleFile, part: string): string | null {
  const [what, name = ""] = part.split(" ", 2);
  if (what === "variable") return file.variables.get(name) ?? null;
  const found = rulesFor(file, name);
  return found.length === 0 ? null : found.map((each) => each.text).join("\n");
}

/** The names of variables in a text: `$(NAME)` and `${NAME}`. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$[({]([A-Za-z_.][\w.-]*)[)}]|\{\{\s*([\w-]+)\s*\}\}/g)].map(
    ([, make, just]) => make ?? just ?? "",
  );
}

/** What make calls by names that need no assignment. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ["MAKE", "make"],
  ["CC", "cc"],
  ["CXX", "c++"],
]);
const DEEPEST_EXPANSION = 8;

/** A recipe's line with its plain variables expanded. */
export function expand(line: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth >= DEEPEST_EXPANSION) return line;
  const value = (name: string): string => {
    const ownName = variables.has(name) ? undefined : BUILT_IN.get(name);
    if (ownName !== undefined) return ownName;
    return expand((variables.get(name) ?? "").slice(0, 1000), variables, depth + 1).slice(0, 10_000);
  };
  return line
    .replaceAll(/\$[({]([A-Za-z_.][\w.-]*)[)}]/g, (_all, name: string) => value(name))
    .replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (_all, name: string) => value(name))
    .replaceAll("$$", "$");
}
