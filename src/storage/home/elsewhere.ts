import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { approvalFolder, type LocalLoop } from "./approval-record.ts";

const elsewhere = v.object({ worker: v.string(), place: v.string() });

/** Where an attempt is made whose journal is only copied here, as its worker told it. */
export type Elsewhere = Readonly<v.InferOutput<typeof elsewhere>>;

export function noteElsewhere(local: LocalLoop, where: Elsewhere): void {
  writePrivateJson(pathOf(local), where);
}

/** null: it is made here. */
export function elsewhereOf(local: LocalLoop): Elsewhere | null {
  return readJsonFile(pathOf(local), elsewhere);
}

function pathOf(local: LocalLoop): string {
  return join(approvalFolder(local), "elsewhere.json");
}
