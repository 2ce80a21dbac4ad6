import type { ProposedCheck } from "../app/propose-checks.ts";
import { discoveredChecks, proposalFor } from "../app/propose-checks.ts";
import type { Check } from "../core/criterion.ts";
import { findOnPath } from "../files/find-on-path.ts";
import { oneLine } from "../text/plain-text.ts";
import { ask } from "./ask.ts";
import type { Context } from "./context.ts";
import type { CriterionText } from "./criterion-text.ts";
import { readCriterionText } from "./criterion-text.ts";

export interface GivenCriterion {
  readonly name: string;
  readonly check: Check | null;
}

interface CriterionFlags {
  readonly criterion?: readonly string[];
  readonly passEnv?: readonly string[];
  readonly checkTimeout: number;
}

/** The criterion of each `-c`. If the words are not a known check, asks about them, or says that they have no check. */
export async function givenCriteria(
  context: Context,
  flags: CriterionFlags,
  { attended }: { readonly attended: boolean },
): Promise<{ readonly criteria: readonly GivenCriterion[]; readonly notices: readonly string[] }> {
  const texts = (flags.criterion ?? []).map((text) => criterionText(context, text));
  const proposals = texts.some(({ kind }) => kind === "words") ? await discoveredChecks(context.machine) : [];
  const criteria: GivenCriterion[] = [];
  const undecided: string[] = [];
  for (const text of texts) {
    const found = await commandOf(text, proposals, attended);
    if (found.line === null && !attended) undecided.push(found.name);
    criteria.push({ name: found.name, check: found.line === null ? null : shellCheck(found.line, flags) });
  }
  return { criteria, notices: undecided.length === 0 ? [] : [withoutCheck(undecided)] };
}

export function criterionText({ machine }: Pick<Context, "machine">, text: string): CriterionText {
  return readCriterionText(text, (word) => word.includes("/") || findOnPath(word, machine.env) !== null);
}

export function shellCheck(
  line: string,
  { checkTimeout, passEnv }: Pick<CriterionFlags, "checkTimeout" | "passEnv">,
): Check {
  return { command: { kind: "shell", line }, timeoutMs: checkTimeout, passEnv: passEnv ?? [] };
}

async function commandOf(
  text: CriterionText,
  proposals: readonly ProposedCheck[],
  attended: boolean,
): Promise<{ readonly name: string; readonly line: string | null }> {
  if (text.kind === "named") return text;
  if (text.kind === "command") return { name: text.line, line: text.line };
  const known = proposalFor(proposals, text.text);
  if (known !== null) return { name: known.name, line: text.text };
  const isCommand = attended && text.text !== "" && (await asksForCommand(text.text));
  return { name: text.text, line: isCommand ? text.text : null };
}

async function asksForCommand(text: string): Promise<boolean> {
  const answer = await ask(
    `Is "${oneLine(text, 80)}" a command to run, or a statement that somebody has to attest? [c/S] `,
  );
  return /^c(ommand)?$/i.test(answer);
}

function withoutCheck(names: readonly string[]): string {
  const [first = ""] = names;
  const listed = names.map((name) => `"${oneLine(name, 60)}"`).join(", ");
  return `No check for ${listed}, so somebody has to attest each; if one is a command, give it a name: -c 'NAME=${oneLine(first, 60)}'`;
}
