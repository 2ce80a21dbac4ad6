/** What a person wants to be held out of a loop, as it was named; not yet looked at. */
export type AskedHoldout =
  | {
      readonly type: "folder";
      readonly folder: string;
      readonly namedBy: "--holdout-from" | "holdouts.json";
    }
  /** The user's own file cannot be read, so nobody knows what is missing. */
  | { readonly type: "unknown" };
