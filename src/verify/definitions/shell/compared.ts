import type { SimpleCommand } from "./simple-commands.ts";

const COMPARERS: ReadonlySet<string> = new Set("test [ [[ grep egrep fgrep rg diff cmp comm jq".split(" "));

export function isComparer({ words }: Pick<SimpleCommand, "words">): boolean {
  return COMPARERS.has(words[0] ?? "");
}

/**
 * For each command of a line, whether something else judges it: it is piped to a comparing program, or the next one compares.
 * `sh calc.sh | grep -q 3`, `sh build.sh && test -f out`.
 */
export function comparedCommands(commands: readonly SimpleCommand[]): readonly boolean[] {
  const compared: boolean[] = [];
  for (let at = commands.length - 1; at >= 0; at -= 1) {
    const next = commands[at + 1];
    compared[at] =
      next !== undefined &&
      ((isComparer(next) && !next.isCondition) ||
        (commands[at]?.after === "|" && (isComparer(next) || compared[at + 1] === true)));
  }
  return compared;
}
