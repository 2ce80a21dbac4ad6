import type { ReplacedFile } from "../baseline/replacements.ts";
import { hasPassed } from "../checks/check-site.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";

const FAILS_THERE = "it doesn't pass in a copy of the project at another path";
const LOOKS_ELSEWHERE = "in a copy of the project at another path it doesn't look at the files there";

/**
 * Whether what a check did in a copy can be believed; null: it can. A check may need its own path, or look at files there and not
 * at those of the copy. So what fails has to pass in a plain copy, and what passes has to fail once its files are nonsense.
 */
export async function whyNotInCopy(
  outcome: CommandOutcome,
  replaced: readonly ReplacedFile[],
  { isPlain, code, runPlain, runWith }: OtherRuns,
): Promise<string | null> {
  if (isPlain) return hasPassed(outcome) ? null : FAILS_THERE;
  if (!hasPassed(outcome)) return passes(await runPlain()) === true ? null : FAILS_THERE;
  if (replaced.length === 0) return null;
  const changed = replaced.flatMap(({ content, ...file }) =>
    // What is stale is built again.
    content === null || file.isStale === true
      ? []
      : [{ ...file, content: Buffer.concat([NONSENSE, content]) }],
  );
  const nonsense = changed.length > 0 ? changed : code.slice(0, MOST_FILES).map(asNonsense);
  return nonsense.length > 0 && passes(await runWith(nonsense)) === false ? null : LOOKS_ELSEWHERE;
}

const MOST_FILES = 2_000;

function asNonsense(path: string): ReplacedFile {
  return { path, content: NONSENSE, mode: "100644" };
}

type Ran = { readonly outcome: CommandOutcome } | { readonly why: string };

interface OtherRuns {
  /** Nothing was replaced, neither a file nor the command. */
  readonly isPlain: boolean;
  /** The project's files with code: nonsense, where files were only taken away, or are built. */
  readonly code: readonly string[];
  readonly runPlain: () => Promise<Ran>;
  readonly runWith: (files: readonly ReplacedFile[]) => Promise<Ran>;
}

function passes(ran: Ran): boolean | null {
  return "why" in ran ? null : hasPassed(ran.outcome);
}

/** Neither a program nor data, in any language. */
const NONSENSE = Buffer.from(")}]'\"`(\n");
