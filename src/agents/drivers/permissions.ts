import type { Denial } from "./driver.ts";

/** The `loop` subcommands an agent needs at work. The others are for people, or open new loops. */
export const LOOP_WORDS = ["check", "done", "blocked", "status", "criteria", "step"] as const;

/** Options by their names: some stand alone, others have a value, behind `=` or as the next argument. */
interface OptionNames {
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

/** More don't help the reader. */
const MOST_DENIALS = 50;

/** What an agent was denied in a turn, without duplicates. */
interface DenialList {
  add(denial: Denial): void;
  readonly denials: readonly Denial[];
}

export function startDenials(): DenialList {
  const denials = new Map<string, Denial>();
  return {
    add(denial) {
      if (denials.size < MOST_DENIALS) denials.set(`${denial.tool} ${denial.rule}`, denial);
    },
    get denials() {
      return [...denials.values()];
    },
  };
}
