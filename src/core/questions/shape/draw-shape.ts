import { describeCommand, type Check } from "../../loop/criterion.ts";
import type { MustNot } from "../../loop/loop.ts";
import type { ShapedCriterion, StageOptions, WorkShape } from "../../stages/stages.ts";
import { readSpec } from "../../spec/reading.ts";
import { oneLine, isSameCommand } from "../../../system/text/plain-text.ts";
import { aspectsOf, kindOf, type ShapeAnswer } from "./shape-question.ts";
import { checkInStatement, checkOf, checkOfCommand, namedCommands } from "./find-check.ts";
import { listedCriteria, namedCheck, ownCheck, type Deciders, statedMustNots } from "./listed-criteria.ts";

const MOST_CRITERIA = 6;
const MOST_DECISIONS = 8;
const LONGEST_NAME = 200;
const LONGEST_DECISION = 300;
const TESTS = /^tests pass/;

export interface NamedCriterion {
  readonly name: string;
  readonly check: Check | null;
}

interface Given extends Deciders {
  readonly spec: string;
  /** Where the loop works, below the worktree's root. */
  readonly folder: string;
  /** What a person asked for. */
  readonly criteria: readonly NamedCriterion[];
  readonly mustNots: readonly MustNot[];
  readonly wishes: Pick<StageOptions, "kind" | "allowedChecks" | "checkTimeoutMs">;
}

export interface DrawnShape {
  readonly shape: WorkShape;
  /** Beyond those that the loop has. */
  readonly mustNots: readonly MustNot[];
  /**
   * Criteria that the loop gets: those that the spec lists or names by their command, and those that a check decides; also one that it
   * has without a check.
   */
  readonly added: readonly NamedCriterion[];
}

/** The shape of the work by the spec's own words and the project's own tools. */
export function drawShape(given: Given): DrawnShape {
  const { spec, folder, wishes, facts } = given;
  const listed = listedCriteria(spec, given);
  const spoken = readSpec(spec).checks.flatMap((statement): readonly ShapedCriterion[] => {
    const found = checkInStatement(statement, facts);
    return found === null
      ? []
      : [{ name: found.name, check: ownCheck(found.command, given), proposed: null }];
  });
  const others = namedCommands(spec)
    .filter((command) => !listed.some(({ name }) => namedCommands(name).includes(command)))
    .map((command): ShapedCriterion => ({ name: `${command} passes`, ...namedCheck(command, given) }));
  const asked = given.criteria.map(({ name, check }) => ({ name, check, proposed: null }));
  const criteria = withoutRepeats([...asked, ...listed, ...spoken, ...others]);
  const all = criteria.some(({ check }) => check !== null)
    ? criteria
    : withoutRepeats([...criteria, ...testsOf(given)]);
  return {
    shape: {
      kind: wishes.kind ?? kindOf(spec) ?? "build",
      aspects: aspectsOf(spec, facts.files),
      criteria: all,
      decisions: [],
    },
    mustNots: fresh(statedMustNots(spec, facts.files, folder), given.mustNots),
    added: all
      .filter((each) => each.check !== null || listed.includes(each) || others.includes(each))
      .filter(({ name }) => !given.criteria.some((each) => each.name === name))
      .map(({ name, check }) => ({ name, check })),
  };
}

/**
 * The shape with what a model adds: a kind where the spec's words say none, criteria that quote the spec, and decisions. It
 * removes nothing. A command of its own is only kept as a proposal, unless the project has it or a pattern allows it.
 */
export function withModel(given: Given, drawn: DrawnShape, answer: ShapeAnswer): DrawnShape {
  const { spec, wishes, facts } = given;
  const words = flat(spec);
  const quoted = answer.criteria.filter(({ quote }) => words.includes(flat(quote))).slice(0, MOST_CRITERIA);
  const known = drawn.shape.criteria.map((each): ShapedCriterion => {
    const own = quoted.find(({ name }) => isSameName(name, each.name));
    return each.check !== null ? each : { ...each, proposed: each.proposed ?? own?.command ?? null };
  });
  const more = quoted
    .filter(({ name }) => !known.some((each) => isSameName(each.name, name)))
    .map(({ name, command }): ShapedCriterion => {
      const check = command === null ? null : checkOfCommand(command, facts, wishes);
      return { name: oneLine(name, LONGEST_NAME), check, proposed: check === null ? command : null };
    });
  const criteria = withoutRepeats([...known, ...more]);
  const aspects = answer.aspects
    .map((each) => each.toLowerCase())
    .filter((each) => /^[a-z][a-z-]{1,20}$/.test(each));
  return {
    ...drawn,
    shape: {
      kind: wishes.kind ?? kindOf(spec) ?? answer.kind,
      aspects: [...new Set([...drawn.shape.aspects, ...aspects])].slice(0, 12),
      criteria,
      decisions: answer.decisions.slice(0, MOST_DECISIONS).map((each) => oneLine(each, LONGEST_DECISION)),
    },
    added: [
      ...drawn.added,
      ...criteria.flatMap(({ name, check }) =>
        check !== null && more.some((each) => each.name === name) ? [{ name, check }] : [],
      ),
    ],
  };
}

/** The shape after a person approved some of the commands that were proposed. */
export function withApproved(
  { wishes }: Pick<Given, "wishes">,
  drawn: DrawnShape,
  commands: ReadonlySet<string>,
): DrawnShape {
  const { shape, added } = drawn;
  const isApproved = ({ proposed }: ShapedCriterion): boolean => proposed !== null && commands.has(proposed);
  const criteria = shape.criteria.map((each): ShapedCriterion =>
    isApproved(each)
      ? { ...each, check: checkOf(each.proposed ?? "", wishes.checkTimeoutMs, null), proposed: null }
      : each,
  );
  const approved = criteria.filter((each, index) => each !== shape.criteria[index]);
  const others = added.filter(({ name }) => !approved.some((each) => each.name === name));
  return {
    ...drawn,
    shape: { ...shape, criteria },
    added: [...others, ...approved.map(({ name, check }) => ({ name, check }))],
  };
}

function testsOf(given: Given): readonly ShapedCriterion[] {
  const tests = given.facts.checks.find(({ name }) => TESTS.test(name));
  return tests === undefined
    ? []
    : [{ name: tests.name, check: ownCheck(tests.command, given), proposed: null }];
}

/** The first of each name, and of each command, whether or not it may run. */
export function withoutRepeats(criteria: readonly ShapedCriterion[]): readonly ShapedCriterion[] {
  const kept: ShapedCriterion[] = [];
  for (const each of criteria)
    if (!kept.some((other) => isSameName(other.name, each.name) || isSameCheck(other, each))) kept.push(each);
  return kept;
}

function isSameCheck(one: ShapedCriterion, other: ShapedCriterion): boolean {
  const [line, otherLine] = [lineOf(one), lineOf(other)];
  if (line === null || otherLine === null || !isSameCommand(line, otherLine)) return false;
  return one.check === null || other.check === null || one.check.folder === other.check.folder;
}

function lineOf({ check, proposed }: ShapedCriterion): string | null {
  return check === null ? proposed : describeCommand(check.command);
}

function isSameName(one: string, other: string): boolean {
  return flat(one) === flat(other);
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

function fresh(stated: readonly MustNot[], known: readonly MustNot[]): readonly MustNot[] {
  const globs = new Set(known.flatMap((each) => (each.kind === "path" ? [each.glob] : [])));
  return stated.filter((each) => each.kind === "path" && !globs.has(each.glob));
}
