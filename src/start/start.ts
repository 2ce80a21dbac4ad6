import { stateHome } from "../store/state-home.ts";
import { compiledCodeIn } from "./compiled-code.ts";
import type { PartTable } from "./parts.ts";
import { createLoader } from "./parts.ts";

/** Put here by the build: the table of the program's parts, and a function whose only comment holds their text. */
declare const PART_TABLE: PartTable;
declare function PART_TEXTS(): void;

/**
 * Loads an entry of the program that this is built into. What is compiled for it is kept for the next start, if this
 * one is worth it: only the functions that ran are in it.
 */
export function loadPart(entry: string, options: { readonly keeps: boolean }): unknown {
  const load = createLoader({
    // What is in a comment costs almost nothing until it is asked for.
    text: PART_TEXTS.toString(),
    table: PART_TABLE,
    filename: __filename,
    require,
    compiled: compiledCodeIn(homeOrNone(), options),
  });
  return load(entry);
}

/** Whoever needs the state home says that there is none. Nothing can be kept below a device. */
function homeOrNone(): string {
  try {
    return stateHome(process.env);
  } catch {
    return "/dev/null";
  }
}
