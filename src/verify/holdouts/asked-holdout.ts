/** What a person wants to hold out of a loop, by name; not yet checked. */
export type AskedHoldout =
  | {
      readonly type: "folder";
      readonly folder: string;
      /** The folder, below the project's root, that its files are laid over and its own checks run in. */
      readonly over: string;
      readonly namedBy: "--holdout-from" | "holdouts.json";
    }
  /** The user's own file cannot be read, so it is unknown what is missing. */
  | { readonly type: "unknown" };
