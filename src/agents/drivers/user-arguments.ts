/** Options by their names: some stand alone, others have a value, behind `=` or as the next argument. */
export interface OptionNames {
  readonly flags: readonly string[];
  readonly valued: readonly string[];
}

/** The user's own arguments without these options. */
export function withoutOptions(args: readonly string[], { flags, valued }: OptionNames): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (valued.includes(arg)) at += 1;
    else if (!flags.includes(arg) && !valued.some((name) => isGiven(arg, name))) kept.push(arg);
  }
  return kept;
}

/** `--sandbox=x`, `-s=x`, `-sx` */
function isGiven(arg: string, name: string): boolean {
  return name.startsWith("--") ? arg.startsWith(`${name}=`) : arg.startsWith(name) && !arg.startsWith("--");
}
