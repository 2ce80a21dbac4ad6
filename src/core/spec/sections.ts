import type { Dimension } from "./rule.ts";

/** What a heading or label says about the lines below it. */
export interface Section {
  readonly dimension: Dimension | undefined;
  /** Whether what stands there has to be true at the end: all of it, or the items of its list. */
  readonly demands: "all" | "items" | "nothing";
  /** Whether it names what must not be done: "Must not", "Out of scope". */
  readonly forbids: boolean;
  /** Whether it tells how things are, and asks for nothing: "Steps to reproduce", "Environment". */
  readonly tells: boolean;
  /** Whether it says what shall be instead: "Expected". */
  readonly expects: boolean;
}

export const NO_SECTION: Section = {
  dimension: undefined,
  demands: "nothing",
  forbids: false,
  tells: false,
  expects: false,
};

const NAMES: readonly (readonly [
  name: RegExp,
  dimension: Dimension | undefined,
  demands: Section["demands"],
])[] = [
  [
    /^(?:definition of done|done(?: when)?|exit(?: condition| criteria)?|finish(?:ed)?(?: when)?|end state)$/i,
    "done",
    "all",
  ],
  [
    /^(?:goals?|outcomes?|objectives?|tasks?|what|summary|(?:expected|desired|wanted)(?: (?:behaviou?r|result|outcome|output|state))?)$/i,
    "outcome",
    "nothing",
  ],
  [/^(?:in )?scope$|^(?:where|files?|affected files|area)$/i, "scope", "nothing"],
  [
    /^(?:(?:technical )?constraints?|rules?|(?:must|do)[ -]nots?|don'?ts|non[- ]goals?|out[- ]of[- ]scope|off[- ]limits|limits|restrictions|guard ?rails|requirements?: non-functional)$/i,
    "constraints",
    "nothing",
  ],
  [
    /^(?:ac|acceptance(?: (?:criteria|criterion|tests?|conditions?))?|(?:success|completion) (?:criteria|criterion)|success|criteria|verification|verify|verified by|validation|how to (?:test|verify)|test(?:s|ing| plan)?|checks?|qa)$/i,
    "success",
    "all",
  ],
  [
    /^(?:(?:functional |product |user |project |key |core |minimum |hard )?requirements?|must[ -]haves?|deliverables?)$/i,
    undefined,
    "all",
  ],
  [
    /^(?:(?:implementation |next |work |concrete )?steps|(?:the )?plan|to[ -]?dos?|task list|checklist|work items)$/i,
    undefined,
    "items",
  ],
];

const TELLS =
  /^(?:(?:steps to reproduce|(?:how to )?repro(?:duce|duction)?(?: steps)?|actual|current|observed)(?: (?:behaviou?r|result|state))?|environment|devices?|browsers?|platforms?|versions?|logs?|stack ?trace|background|context|additional context|motivation|why|problem|notes?|related|screenshots?)$/i;

const EXPECTS = /^(?:expected|desired|wanted)(?: (?:behaviou?r|result|outcome|output|state))?$/i;

const FORBIDS = /^(?:(?:must|do)[ -]nots?|don'?ts|non[- ]goals?|out[- ]of[- ]scope|off[- ]limits)$/i;

const LONGEST_NAME = 80;

/** "3. Acceptance criteria (must have)" is about acceptance criteria, as is "Acceptance criteria for the export". */
export function sectionOf(title: string): Section | undefined {
  const name = title
    .slice(0, LONGEST_NAME)
    .replace(/^[^A-Za-z]+/, "")
    .replace(/\s?\(.*$/, "")
    .replace(/\s(?:for|of)\s(?!done\b|scope\b).*$/i, "")
    .replace(/[\s:*_]+$/, "");
  if (TELLS.test(name)) return { ...NO_SECTION, tells: true };
  const [, dimension, demands] = NAMES.find(([pattern]) => pattern.test(name)) ?? [];
  if (demands === undefined) return undefined;
  return { dimension, demands, forbids: FORBIDS.test(name), tells: false, expects: EXPECTS.test(name) };
}
