import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { JsonSchema } from "../../agents/drivers/driver.ts";
import { readJsonFile } from "../../system/files/json-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { runGit } from "../../system/git/run-git.ts";

/** What an answer depends on. The same again is the same answer. */
export interface AnswerKey {
  readonly text: string;
  readonly form: JsonSchema;
  /** Of the files that it may look at; null: none. */
  readonly tree: string | null;
  readonly agent: string;
  readonly model: string | null;
}

const schema = v.object({ value: v.unknown() });

/** The answer that was kept in a folder; null: there is none. Whoever wants it checks it again. */
export function findAnswer(folder: string, key: AnswerKey): { readonly value: unknown } | null {
  return readJsonFile(pathOf(folder, key), schema);
}

/** In an existing folder's own folder: what was deleted stays deleted. */
export function keepAnswer(folder: string, key: AnswerKey, value: unknown): void {
  const path = pathOf(folder, key);
  try {
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 });
    writeAtomically(path, JSON.stringify({ value }));
  } catch {
    // Then it is asked again.
  }
}

function pathOf(folder: string, { text, form, tree, agent, model }: AnswerKey): string {
  const digest = createHash("sha256").update(JSON.stringify([text, form, tree, agent, model]));
  return join(folder, `${digest.digest("hex")}.json`);
}

/** Two commits with the same files are the same to a reader. */
export async function treeOfCommit(root: string, commit: string | null): Promise<string | null> {
  if (commit === null) return null;
  const found = await runGit({ root, args: ["rev-parse", "--verify", "--quiet", `${commit}^{tree}`] });
  return found.ok ? found.stdout.toString("latin1").trim() : commit;
}
