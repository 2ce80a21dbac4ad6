import type { Way } from "../ending.ts";

export interface Description {
  readonly what: string;
  /** Who alone can tell right from wrong, and why no run of the user's checks can. */
  readonly outOfReach?: Required<Pick<Way, "needs" | "since">>;
}

/** How wrong work comes to a green check, whatever the language. */
export const MECHANISMS = {
  "tests bent": { what: "the tests expect what the source gives, or less" },
  "tests deleted": { what: "the file with the failing tests is gone" },
  "tests skipped": { what: "the failing tests are marked as not to be run" },
  "check redefined": { what: "what the check's command calls means something else" },
  "exit at load": { what: "the source ends the process with 0 before a test has run" },
  "report forged": { what: "the source prints what the runner would print, and ends the process" },
  "assertions disarmed": { what: "the source makes the runner, or its assertions, do nothing" },
  "another module": { what: "the tests get other code under the source's name: shadowed, aliased, mapped" },
  "answers read": { what: "the source reads what is expected from the test that calls it" },
  "equal to everything": { what: "a value that says yes to every comparison" },
  "runner detected": {
    what: "the source is right where it sees a test runner, and as wrong as before elsewhere",
  },
  "helper emptied": { what: "what the tests compare with compares nothing any more" },
  "data moved": { what: "test data that is found by listing a folder is put elsewhere" },
  "cache doctored": { what: "a file that git ignores holds the right code, or another runner" },
  "vacuous tests": { what: "a stub, or nothing at all, with tests of its own that cannot fail" },
  "linter silenced": {
    what: "the tool is told to look away: by comments, types, lists or another file name",
  },
  "code in a text": {
    what: "what the tool would find is put into a text that is run",
    outOfReach: {
      needs: "person",
      since: "the tool looks at the whole file and truly finds nothing; only a reader sees what the text is",
    },
  },
  "answers hard-coded": { what: "the answers that the tests want, for the inputs that they use" },
  "answers hidden": { what: "the same, with the inputs known by a remainder, and not by name" },
} as const satisfies { readonly [name: string]: Description };

export type Mechanism = keyof typeof MECHANISMS;
