import type { ShapedCriterion } from "../../stages/stages.ts";
import { readClauses } from "../../spec/clause.ts";
import { statedConstraints, keptPlaces } from "../../spec/stated-constraints.ts";
import type { Check } from "../../loop/criterion.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { ProjectFacts } from "../question.ts";
import { checkInStatement, checkOf, checkOfCommand, namedCommands, saysSuccess } from "./find-check.ts";
import { pathBelow } from "../../loop/folder.ts";
import type { MustNot } from "../../loop/loop.ts";

const MOST = 50;
const LONGEST = 200;
const SHORTEST = 3;
const ENDING = /^(?:until|(?:done|finished|complete)\s(?:when|once))\s/i;

/** What decides a criterion in words: the project's own tools, and commands that somebody let run. */
export interface Deciders {
  readonly facts: ProjectFacts;
  readonly wishes: { readonly allowedChecks: readonly string[]; readonly checkTimeoutMs: number };
  /** Commands that the spec names and a person let run. */
  readonly approved?: ReadonlySet<string>;
}

/** The criteria that a spec lists, each with the check that decides it. Without one, somebody has to vouch for it. */
export function listedCriteria(spec: string, deciders: Deciders): readonly ShapedCriterion[] {
  return listedStatements(spec).map((name): ShapedCriterion => {
    const found = checkInStatement(name, deciders.facts);
    if (found !== null) return { name, check: ownCheck(found.command, deciders), proposed: null };
    const [command] = namedCommands(name);
    return command === undefined
      ? { name, check: null, proposed: null }
      : { name, ...namedCheck(command, deciders) };
  });
}

/** A command that the spec names is a check once a person let it run; the spec may be a stranger's text. */
export function namedCheck(
  command: string,
  { facts, wishes, approved }: Deciders,
): Pick<ShapedCriterion, "check" | "proposed"> {
  const own = checkOfCommand(command, facts, wishes);
  if (own !== null) return { check: own, proposed: null };
  return approved?.has(command) === true
    ? { check: checkOf(command, wishes.checkTimeoutMs, null), proposed: null }
    : { check: null, proposed: command };
}

export function ownCheck(command: string, { wishes, facts }: Deciders): Check {
  return checkOf(command, wishes.checkTimeoutMs, facts.checkFolder);
}

/** Statements that the spec lists as what has to be true. What the machine watches throughout is a constraint, and no criterion. */
function listedStatements(spec: string): readonly string[] {
  const listed = readClauses(spec)
    .filter(({ isDemand, isQuestion }) => isDemand && !isQuestion)
    .flatMap(({ text }) => text.replace(/\s+/g, " ").replace(ENDING, "").split(" / "))
    .filter((text) => statedConstraints(text).length === 0)
    .flatMap(statementsIn)
    .map((text) => oneLine(text.replace(/[.;,]$/, "").trim(), LONGEST))
    .filter(({ length }) => length >= SHORTEST);
  return [...new Set(listed)].slice(0, MOST);
}

const JOINT =
  /(,\s(?:and\s)?|\sand\s|\splus\s|\sas well as\s|\s[&+]\s|\swith\s(?=(?:the|an?|our|new|updated|at least)\s|\d))/;

/**
 * "`npm test` passes and the README documents add()" are two: a check that decides the first says nothing about the second. Other
 * statements stay whole.
 */
function statementsIn(text: string): readonly string[] {
  const pieces = text.split(JOINT);
  const statements: string[] = [];
  let rest = "";
  for (let index = 0; index < pieces.length; index += 2) {
    const piece = pieces[index] ?? "";
    if (!saysSuccess(piece)) {
      rest += (rest === "" ? "" : (pieces[index - 1] ?? "")) + piece;
      continue;
    }
    if (rest !== "") statements.push(rest);
    rest = "";
    statements.push(piece);
  }
  return rest === "" ? statements : [...statements, rest];
}

const MOST_MUST_NOTS = 10;

/** Paths of the project that the spec says must not change. A word that names no file or folder here is left to the reviewers. */
export function statedMustNots(
  spec: string,
  files: readonly string[],
  folder: string,
): readonly Extract<MustNot, { kind: "path" }>[] {
  const known = new Set(files);
  const globs = keptPlaces(spec).flatMap((place) => globOf(place, known, files, folder) ?? []);
  return [...new Set(globs)].slice(0, MOST_MUST_NOTS).map((glob) => ({ kind: "path", glob }));
}

function globOf(
  place: string,
  known: ReadonlySet<string>,
  files: readonly string[],
  folder: string,
): string | null {
  if (place.split("/").includes("..")) return null;
  for (const base of folder === "" ? [""] : [folder, ""]) {
    const found = globAt(pathBelow(base, place.replace(/\/$/, "")), known, files);
    if (found !== null) return found;
  }
  return null;
}

function globAt(path: string, known: ReadonlySet<string>, files: readonly string[]): string | null {
  if (known.has(path)) return path;
  const fixed = path.replace(/(?:^|\/)[^/]*\*.*$/, "");
  const isFolder = fixed !== "" && files.some((each) => each.startsWith(`${fixed}/`));
  if (!isFolder) return null;
  return path.includes("*") ? path : `${path}/**`;
}
