import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import { writeAtomically } from "./write-atomically.ts";

/** null: missing or invalid. These files are ours, so invalid content is ignored. */
export function readJsonFile<Value>(path: string, schema: v.GenericSchema<unknown, Value>): Value | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Whether the file exists but is invalid. */
export function isUnreadable<Value>(path: string, schema: v.GenericSchema<unknown, Value>): boolean {
  if (readJsonFile(path, schema) !== null) return false;
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Readable only by the user, because these files decide what is trusted. */
export function writePrivateJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeAtomically(path, `${JSON.stringify(value, null, 2)}\n`, { durable: true });
}
