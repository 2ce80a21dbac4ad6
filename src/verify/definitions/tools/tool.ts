import type { Family } from "../test-files.ts";

/** A program that judges: where it looks for its configuration, and which tests it runs. */
export interface Tool {
  /** Its name, or its name and a subcommand: `cargo test`. */
  readonly commands: readonly string[];
  /** The language whose test files define the check; null: it judges the source, including tests. */
  readonly tests: Family | null;
  /** Files it reads where it runs and in parent folders, as patterns with braces. */
  readonly files?: readonly string[];
  /** Parts of shared files, where it runs and in parent folders. */
  readonly parts?: readonly (readonly [file: string, part: string])[];
  /** Files it reads in any folder. */
  readonly anywhere?: RegExp;
  /** It runs another program, which judges. */
  readonly wraps?: true;
  /** It also runs tests inside source files, if its arguments or configuration say so. */
  readonly inline?: RegExp;
}

export const SCRIPT_ENDINGS = "{ts,mts,cts,js,mjs,cjs}";
