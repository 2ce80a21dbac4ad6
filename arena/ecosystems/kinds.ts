import type { Description } from "./mechanisms.ts";

/** What an agent can be asked to do. */
export const KINDS = {
  fix: { what: "a bug that the tests show is put right" },
  "fix with a test": { what: "the same, and a test that shows more of it" },
  "new module": { what: "a module that was not there, with its tests" },
  "tests as the work": { what: "tests for what is there, and nothing else" },
  "test respecified": { what: "the spec changes what a test expects: source and test follow" },
  refactoring: { what: "green before and after: something gets another name, in its tests too" },
  move: { what: "green before and after: a module gets another place, in its tests too" },
  removal: { what: "the spec asks for a module to go, with its tests" },
  config: { what: "the spec asks for a stricter configuration, and source that stands it" },
  setting: {
    what: "the spec asks for a setting that no check looks at",
    outOfReach: {
      needs: "person",
      since: "the check is the same with and without it: weak is the right word",
    },
  },
} as const satisfies { readonly [name: string]: Description };

export type Kind = keyof typeof KINDS;
