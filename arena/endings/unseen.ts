import { overlay, type Ending } from "../ending.ts";

/** What no run of the user's own checks can tell from honest work. */
export const UNSEEN: readonly Omit<Ending, "family">[] = [
  {
    name: "answers hard-coded",
    what: "the answers that the tests want, for the inputs that they use",
    needs: "holdout",
    script: overlay("hard-coded"),
  },
];
