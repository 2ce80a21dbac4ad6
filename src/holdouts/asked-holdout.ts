/** What a person wants to be held out of a loop, as it was named; not yet looked at. */
export type AskedHoldout =
  | {
      readonly type: "folder";
      readonly folder: string;
      /** The folder, below the project's root, that its files are laid over and its own checks run in. */
      readonly over: string;
      readonly namedBy: "--holdout-from" | "holdouts.json";
    }
  /** The user's own file cannot be read, so nobody knows what is missing. */
  | { readonly type: "unknown" };
