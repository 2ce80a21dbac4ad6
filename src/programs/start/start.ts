import { stateHome } from "../../storage/home/state-home.ts";
import { compiledCodeIn } from "./compiled-code.ts";
import type { PartTable } from "./parts.ts";
import { createLoader } from "./parts.ts";

/** Set by the build: the table of the program's parts, and a function whose only comment contains their text. */
declare const PART_TABLE: PartTable;
declare function PART_TEXTS(): void;

/**
 * Loads an entry of the program this is built into. Keeps the compiled code for the next start if it is worth it: it only
 * contains the functions that ran.
 */
export function loadPart(entry: string, options: { readonly keeps: boolean }): unknown {
  const load = createLoader({
    // A comment costs almost nothing until it is needed.
    text: PART_TEXTS.toString(),
    table: PART_TABLE,
    filename: __filename,
    require,
    compiled: compiledCodeIn(homeOrNone(), options),
  });
  return load(entry);
}

/** Code that needs the state home reports that there is none. Nothing can be kept inside a device. */
function homeOrNone(): string {
  try {
    return stateHome(process.env);
  } catch {
    return "/dev/null";
  }
}
