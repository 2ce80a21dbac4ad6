/** What a person wants to hold out of a loop, by name; not yet checked. */
export type AskedHoldout =
  | {
      readonly type: "folder";
      readonly folder: string;
      readonly namedBy: "--holdout-from" | "holdouts.json";
    }
  /** The user's own file cannot be read, so it is unknown what is missing. */
  | { readonly type: "unknown" };
