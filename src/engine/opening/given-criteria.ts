import type { Check, CheckUse } from "../../core/loop/criterion.ts";
import { listed } from "../../core/listed.ts";
import { withoutRepeats } from "../../core/questions/shape/draw-shape.ts";
import { listedCriteria } from "../../core/questions/shape/listed-criteria.ts";
import type { ShapedCriterion } from "../../core/stages/stages.ts";
import { UserError } from "../../core/user-error.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { AskedCriterion, AskedGoal } from "./asked-loop.ts";
import type { CheckFlags, LooseningFlags, Opener, OpeningPerson, TaskFlags } from "./opener.ts";
import type { FoundHere } from "./propose-checks.ts";
import {
  discoverHere,
  factsHere,
  proposalAbout,
  proposalFor,
  proposalWith,
  whereFound,
} from "./propose-checks.ts";

const NOTHING_FOUND: FoundHere = { checks: [], obstructed: [], above: null, goThere: "" };
const MOST_NAMED = 10;
const MOST_LISTED = 5;

/** A line, and the folder above in which it runs; without one, it runs where the loop works. */
interface GivenLine {
  readonly line: string | null;
  readonly folder?: string | null;
}

/** The criterion of each `-c`. If the words are not a known check, asks about them, or says that they have no check. */
export async function givenCriteria(
  { machine, person }: Pick<Opener, "machine" | "person">,
  flags: CheckFlags,
): Promise<{ readonly criteria: readonly AskedCriterion[]; readonly notices: readonly string[] }> {
  const texts = (flags.criterion ?? []).map((text) => criterionText(machine, text));
  const isAsked = texts.some(({ kind }) => kind === "words");
  const found = isAsked ? await discoverHere(machine) : NOTHING_FOUND;
  const criteria: AskedCriterion[] = [];
  const undecided: string[] = [];
  const notices: string[] = [];
  for (const text of texts) {
    const { name, line, folder = null, notice } = await commandOf(machine, person, text, found);
    if (notice !== undefined) notices.push(notice);
    if (line === null && person === null) undecided.push(name);
    criteria.push({ name, check: line === null ? null : shellCheck(line, flags, folder) });
  }
  return { criteria, notices: [...notices, ...(undecided.length === 0 ? [] : [withoutCheck(undecided)])] };
}

export function criterionText({ env }: Pick<Machine, "env">, text: string): CriterionText {
  return readCriterionText(text, (word) => word.includes("/") || findOnPath(word, env) !== null);
}

export function shellCheck(
  line: string,
  { checkTimeout, passEnv }: Pick<CheckFlags, "checkTimeout" | "passEnv">,
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
  machine: Machine,
  person: OpeningPerson | null,
  text: CriterionText,
  project: FoundHere,
): Promise<GivenLine & { readonly name: string; readonly notice?: string }> {
  if (text.kind === "named") return text;
  if (text.kind === "command") return { name: text.line, line: text.line };
  const known = proposalFor(project, text.text);
  if (known !== null) return { name: known.name, line: text.text, folder: project.above };
  if (person !== null) {
    const given = text.text === "" ? { line: null } : await askFor(machine, person, text.text, project);
    return { name: text.text, ...given };
  }
  const own = proposalWith(project, text.text)?.command ?? null;
  const line = own ?? (isProgram(machine, text.text) ? text.text : null);
  if (line === null) return { name: text.text, line };
  const folder = own === null ? null : project.above;
  return { name: text.text, line, folder, notice: takenAsCommand(text.text, line) };
}

/** One word that can be run. `test` can, but nobody means that program alone. */
function isProgram({ env }: Pick<Machine, "env">, text: string): boolean {
  return /^[^\s/]+$/.test(text) && text !== "test" && findOnPath(text, env) !== null;
}

function takenAsCommand(text: string, line: string): string {
  return `"${oneLine(text, 60)}" is taken as a command: ${oneLine(line, 120)}`;
}

/** Words that a check of the project may decide, or that may be a command themselves. */
async function askFor(
  machine: Machine,
  person: OpeningPerson,
  text: string,
  project: FoundHere,
): Promise<GivenLine> {
  const [program = ""] = text.split(/\s/, 1);
  const about = findOnPath(program, machine.env) === null ? proposalAbout(project, text) : null;
  const found = proposalWith(project, text) ?? about;
  const isTaken =
    found === null
      ? await person.isCommand(text, isProgram(machine, text) ? "command" : "statement")
      : await person.usesCheck(text, found, whereFound(project));
  if (!isTaken) return { line: null };
  const line = found?.command ?? text;
  person.said.settleCriterion(text, `${text}=${found === null ? "" : project.goThere}${line}`);
  return { line, folder: found === null ? null : project.above };
}

function withoutCheck(names: readonly string[]): string {
  const [first = ""] = names;
  const quoted = names.map((name) => `"${oneLine(name, 60)}"`).join(", ");
  return `No check for ${quoted}, so somebody has to attest each; if one is a command, give it a name: -c 'NAME=${oneLine(first, 60)}'`;
}

/** Adds what the flags say about the use of their checks to the criteria. `tasks`: those of a plan that have a check of their own. */
export function withUses(
  criteria: readonly AskedCriterion[],
  { notYet = [], once = [] }: LooseningFlags,
  tasks: readonly string[] = [],
): readonly AskedCriterion[] {
  for (const name of notYet) {
    if (!tasks.includes(name)) expectCheck(criteria, "--not-yet", name, tasks);
    if (once.includes(name))
      throw new UserError(
        `"${oneLine(name, 60)}" has both --not-yet and --once; a check that runs once, at the end, may be missing until then: leave out --not-yet.`,
      );
  }
  for (const name of once) expectCheck(criteria, "--once", name);
  return criteria.map((each) => {
    const use = once.includes(each.name) ? "once" : notYet.includes(each.name) ? "not-yet" : null;
    return use === null ? each : usedAs(each, use);
  });
}

function usedAs(criterion: AskedCriterion, use: CheckUse): AskedCriterion {
  const { check } = criterion;
  return { ...criterion, check: check === null ? null : { ...check, use } };
}

function expectCheck(
  criteria: readonly AskedCriterion[],
  flag: string,
  name: string,
  tasks: readonly string[] = [],
): void {
  if (criteria.some((each) => each.name === name && each.check !== null)) return;
  const named = criteria.filter(({ check }) => check !== null).map((each) => `"${oneLine(each.name, 60)}"`);
  const names = listed([...tasks, ...named], MOST_NAMED);
  throw new UserError(
    `${flag} "${oneLine(name, 60)}" names no ${tasks.length === 0 ? "" : "task or "}criterion with a check; there ${names === "" ? "are none" : `is ${names}`}.`,
  );
}

/** The value of `-c`: a name with a command, a command alone, or words that may be either a command or a statement. */
type CriterionText =
  | { readonly kind: "named"; readonly name: string; readonly line: string }
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "words"; readonly text: string };

/**
 * `NAME=COMMAND`, split at the first `=`. The exception is what a shell reads as a variable before a command, such as
 * `CI=1 npm test`: that is a command as a whole.
 */
export function readCriterionText(text: string, isProgram: (word: string) => boolean): CriterionText {
  const whole = text.trim();
  const split = whole.indexOf("=");
  if (split === -1) return { kind: "words", text: whole };
  const name = whole.slice(0, split);
  const rest = whole.slice(split + 1);
  if (isVariable(name) && readsAsValueAndCommand(rest, isProgram)) return { kind: "command", line: whole };
  const line = rest.trim();
  if (line === "")
    throw new UserError(
      `The criterion "${text.slice(0, 60)}" has an empty command; write NAME=COMMAND, or NAME alone.`,
    );
  return { kind: "named", name: name.trim(), line };
}

function isVariable(name: string): boolean {
  return /^[A-Z_][A-Z0-9_]*$/.test(name);
}

const WORDS = /^("[^"]*"|'[^']*'|[^\s"';&|<>()]+)\s+(\S+)/;
/** Values that aren't a program, or that nobody would run with a program as the first word. */
const LITERAL = /^(?:["'$].*|[\d.,:-]+|.*:\/\/.*|true|false|yes|no|on|off|test)$/;

/**
 * `1 npm test` after `CI=` does, `npm test` after `TESTS=` doesn't: the first word decides, then whether a program follows.
 */
function readsAsValueAndCommand(rest: string, isProgram: (word: string) => boolean): boolean {
  const [, value, next] = WORDS.exec(rest) ?? [];
  if (value === undefined || next === undefined || /^[-;&|<>()]/.test(next)) return false;
  const [variable] = next.split("=", 1);
  if (next.includes("=") && isVariable(variable ?? "")) return true;
  if (/^\d+$/.test(value)) return true;
  if (LITERAL.test(value)) return isProgram(next);
  // `test` is a program, but also a word that often follows others.
  return !isProgram(value) && next !== "test" && isProgram(next);
}

/** The criteria of a loop, and those that its spec lists. Of the latter, those without a check are said. */
export async function withListed(
  { machine, person, tell }: Opener,
  { spec, criteria }: Pick<AskedGoal, "spec" | "criteria">,
  flags: CheckFlags & Pick<TaskFlags, "allowCheck">,
): Promise<readonly AskedCriterion[]> {
  const wishes = { allowedChecks: flags.allowCheck ?? [], checkTimeoutMs: flags.checkTimeout };
  const nothing = { checks: [], checkFolder: null, files: [] };
  if (listedCriteria(spec, { facts: nothing, wishes }).length === 0) return criteria;
  const facts = await factsHere(machine);
  const read = (approved: ReadonlySet<string>): readonly ShapedCriterion[] =>
    added(criteria, listedCriteria(spec, { facts, wishes, approved }));
  const first = read(new Set());
  const proposed = first.flatMap((each) => each.proposed ?? []);
  const mayRun = person !== null && proposed.length > 0 && (await person.approves(proposed, "spec"));
  const more = mayRun ? read(new Set(proposed)) : first;
  const unchecked = more.filter(({ check }) => check === null).map(({ name }) => name);
  if (unchecked.length > 0) tell(listedWithoutCheck(unchecked));
  return [...criteria, ...more.map(({ name, check }) => ({ name, check, isDerived: true as const }))];
}

function listedWithoutCheck(names: readonly string[]): string {
  const quoted = names.map((name) => `"${oneLine(name, 60)}"`);
  return `No check for ${listed(quoted, MOST_LISTED)}, which the spec lists, so somebody has to attest each; to give one a check: -c '${oneLine(names[0] ?? "", 60)}=COMMAND'`;
}

function added(
  given: readonly AskedCriterion[],
  more: readonly ShapedCriterion[],
): readonly ShapedCriterion[] {
  const known = given.map(({ name, check }) => ({ name, check, proposed: null }));
  return withoutRepeats([...known, ...more]).slice(given.length);
}
