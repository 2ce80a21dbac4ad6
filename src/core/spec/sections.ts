import type { Dimension } from "./rule.ts";

/** What a heading or label says about the lines below it. */
export interface Section {
  readonly dimension: Dimension | undefined;
  /** Whether what stands there has to be true at the end: all of it, or the items of its list. */
  readonly demands: "all" | "items" | "nothing";
}

export const NO_SECTION: Section = { dimension: undefined, demands: "nothing" };

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
  [/^(?:goals?|outcomes?|objectives?|tasks?|what|summary|expected(?: behaviou?r)?)$/i, "outcome", "nothing"],
  [/^(?:in )?scope$|^(?:where|files?|affected files|area)$/i, "scope", "nothing"],
  [
    /^(?:(?:technical )?constraints?|rules?|must[ -]nots?|non[- ]goals?|out of scope|limits|restrictions|guard ?rails|requirements?: non-functional)$/i,
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

const LONGEST_NAME = 80;

/** "3. Acceptance criteria (must have)" is about acceptance criteria, as is "Acceptance criteria for the export". */
export function sectionOf(title: string): Section | undefined {
  const name = title
    .slice(0, LONGEST_NAME)
    .replace(/^[^A-Za-z]+/, "")
    .replace(/\s?\(.*$/, "")
    .replace(/\s(?:for|of)\s(?!done\b).*$/i, "")
    .replace(/[\s:*_]+$/, "");
  const [, dimension, demands] = NAMES.find(([pattern]) => pattern.test(name)) ?? [];
  return demands === undefined ? undefined : { dimension, demands };
}
