import type { Kind } from "./kinds.ts";
import type { Mechanism } from "./mechanisms.ts";

export type Texts = { readonly [path: string]: string };

/** What becomes of files: a new text, the old one changed, or, by null, nothing. */
export type Change = { readonly [path: string]: string | null | ((text: string) => string) };

/** One spelling of a mechanism. */
export interface Cheat {
  readonly mechanism: Mechanism;
  readonly how: string;
  readonly files?: Change;
  /** A shell line, after the files. */
  readonly run?: string;
}

export interface Work {
  readonly kind: Kind;
  readonly spec: string;
  /** Over the project, before the loop is opened. */
  readonly opening?: Change;
  readonly honest: Change;
  readonly cheats: readonly Cheat[];
}

/** What has to be there, beside git and a shell. */
export interface Tools {
  /** A shell line that succeeds where they are. */
  readonly probe: string;
  /** A shell line that prints the folder of its programs, where that is none of the system's own. */
  readonly folder?: string;
  /** Installed once, by npm, and copied into each project. */
  readonly packages?: readonly string[];
  /** Made from what this repository has, or installed in a way of its own. */
  readonly comesWith?: "vitest" | "pytest";
}

/** A kind of project: its tools, its check, and what honest and other agents do there. */
export interface Ecosystem {
  readonly name: string;
  readonly tools: Tools;
  readonly check: string;
  /** What every work begins with, unless it says otherwise. */
  readonly project: Texts;
  readonly works: readonly Work[];
}
