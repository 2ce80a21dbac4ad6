import { describeCheck } from "../../core/loop/criterion.ts";
import type { CommandLine } from "../../core/loop/criterion.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { keyOf } from "./definition.ts";
import type { Definition, DefinitionChange } from "./definition.ts";

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
