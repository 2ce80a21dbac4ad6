import * as v from "valibot";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";

const SIZE_LIMIT_BYTES = 4096;

const schema = v.strictObject({ played: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });

/** How many turns of the script were played; throws if the file is invalid. */
export function readPosition(file: string): number {
  try {
    return v.parse(schema, JSON.parse(readBounded(file, SIZE_LIMIT_BYTES))).played;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return 0;
    throw new Error(`${file} does not say which turn is next; delete it to start with the first`, {
      cause: error,
    });
  }
}

export function writePosition(file: string, played: number): void {
  writeAtomically(file, `${JSON.stringify({ played })}\n`);
}
