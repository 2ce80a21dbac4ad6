import type { FoundHere } from "../../engine/opening/propose-checks.ts";
import { discoverHere, proposalAbout, proposalFor, proposalWith, whereFound } from "../../engine/opening/propose-checks.ts";
import type { Check } from "../../core/loop/criterion.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";
import type { CriterionText } from "./criterion-text.ts";
import { readCriterionText } from "./criterion-text.ts";
import type { Choices } from "./questions/choose.ts";
import { choose } from "./questions/choose.ts";
import { confirm } from "./questions/confirm.ts";

export interface GivenCriterion {
  readonly name: string;
  readonly check: Check | null;
}

interface CriterionFlags {
  readonly criterion?: readonly string[];
  readonly passEnv?: readonly string[];
  readonly checkTimeout: number;
}

const NOTHING_FOUND: FoundHere = { checks: [], obstructed: [], above: null, goThere: "" };

/** A line, and the folder above in which it runs; without one, it runs where the loop works. */
interface GivenLine {
  readonly line: string | null;
  readonly folder?: string | null;
}

/** The criterion of each `-c`. If the words are not a known check, asks about them, or says that they have no check. */
export async function givenCriteria(
  context: Context,
  flags: CriterionFlags,
  { attended }: { readonly attended: boolean },
): Promise<{ readonly criteria: readonly GivenCriterion[]; readonly notices: readonly string[] }> {
  const texts = (flags.criterion ?? []).map((text) => criterionText(context, text));
  const isAsked = texts.some(({ kind }) => kind === "words");
  const found = isAsked ? await discoverHere(context.machine) : NOTHING_FOUND;
  const criteria: GivenCriterion[] = [];
  const undecided: string[] = [];
  const notices: string[] = [];
  for (const text of texts) {
    const { name, line, folder = null, notice } = await commandOf(context, text, found, attended);
    if (notice !== undefined) notices.push(notice);
    if (line === null && !attended) undecided.push(name);
    criteria.push({ name, check: line === null ? null : shellCheck(line, flags, folder) });
  }
  return { criteria, notices: [...notices, ...(undecided.length === 0 ? [] : [withoutCheck(undecided)])] };
}

export function criterionText({ machine }: Pick<Context, "machine">, text: string): CriterionText {
  return readCriterionText(text, (word) => word.includes("/") || findOnPath(word, machine.env) !== null);
}

export function shellCheck(
  line: string,
  { checkTimeout, passEnv }: Pick<CriterionFlags, "checkTimeout" | "passEnv">,
  folder: string | null = null,
): Check {
  return {
    command: { kind: "shell", line },
    timeoutMs: checkTimeout,
    passEnv: passEnv ?? [],
    ...(folder === null ? {} : { folder }),
  };
}

async function commandOf(
  context: Context,
  text: CriterionText,
  project: FoundHere,
  attended: boolean,
): Promise<GivenLine & { readonly name: string; readonly notice?: string }> {
  if (text.kind === "named") return text;
  if (text.kind === "command") return { name: text.line, line: text.line };
  const known = proposalFor(project, text.text);
  if (known !== null) return { name: known.name, line: text.text, folder: project.above };
  if (attended) {
    const given = text.text === "" ? { line: null } : await askForCommand(context, text.text, project);
    return { name: text.text, ...given };
  }
  const own = proposalWith(project, text.text)?.command ?? null;
  const line = own ?? (isProgram(context, text.text) ? text.text : null);
  if (line === null) return { name: text.text, line };
  const folder = own === null ? null : project.above;
  return { name: text.text, line, folder, notice: takenAsCommand(text.text, line) };
}

/** One word that can be run. `test` can, but nobody means that program alone. */
function isProgram({ machine }: Pick<Context, "machine">, text: string): boolean {
  return /^[^\s/]+$/.test(text) && text !== "test" && findOnPath(text, machine.env) !== null;
}

function takenAsCommand(text: string, line: string): string {
  return `"${oneLine(text, 60)}" is taken as a command: ${oneLine(line, 120)}`;
}

/** Words that a check of the project may decide, or that may be a command themselves; null: somebody has to vouch for them. */
async function askForCommand(context: Context, text: string, project: FoundHere): Promise<GivenLine> {
  const { machine, terminal, answers } = context;
  const named = `"${oneLine(text, 80)}"`;
  const [program = ""] = text.split(/\s/, 1);
  const about = findOnPath(program, machine.env) === null ? proposalAbout(project, text) : null;
  const found = proposalWith(project, text) ?? about;
  const line =
    found === null
      ? (await isCommandLine(terminal, named, isProgram(context, text) ? "command" : "statement")) && text
      : (await confirm(
          terminal,
          `${named}: \`${found.command}\` found${whereFound(project)}: use it?`,
          "yes",
        )) && found.command;
  if (line === false) return { line: null };
  const isFound = found !== null;
  answers.settleCriterion(text, `${text}=${isFound ? project.goThere : ""}${line}`);
  return { line, folder: isFound ? project.above : null };
}

type Kind = "command" | "statement";

function kinds(usual: Kind): Choices<Kind> {
  return { words: { command: ["command"], statement: ["statement"] }, usual, atEnd: "statement" };
}

async function isCommandLine(terminal: Context["terminal"], named: string, usual: Kind): Promise<boolean> {
  const question = `Is ${named} a command to run, or a statement that somebody has to vouch for?`;
  return (await choose(terminal, question, kinds(usual))) === "command";
}

function withoutCheck(names: readonly string[]): string {
  const [first = ""] = names;
  const listed = names.map((name) => `"${oneLine(name, 60)}"`).join(", ");
  return `No check for ${listed}, so somebody has to attest each; if one is a command, give it a name: -c 'NAME=${oneLine(first, 60)}'`;
}
