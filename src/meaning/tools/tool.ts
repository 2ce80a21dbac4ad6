import type { Family } from "../test-files.ts";

/** A program that judges: where it looks for its configuration, and whose tests it runs. */
export interface Tool {
  /** Its name, or its name and a subcommand: `cargo test`. */
  readonly commands: readonly string[];
  /** Whose test files define the check; null: it judges the source, and tests are source to it. */
  readonly tests: Family | null;
  /** Files that it reads where it runs and in the folders around, as patterns with braces. */
  readonly files?: readonly string[];
  /** Parts of files that others share, where it runs and in the folders around. */
  readonly parts?: readonly (readonly [file: string, part: string])[];
  /** Files that it reads in any folder. */
  readonly anywhere?: RegExp;
  /** It runs another program, which is what judges. */
  readonly wraps?: true;
  /** It also runs tests inside source files, when its words or its configuration say so. */
  readonly inline?: RegExp;
}

export const SCRIPT_ENDINGS = "{ts,mts,cts,js,mjs,cjs}";
