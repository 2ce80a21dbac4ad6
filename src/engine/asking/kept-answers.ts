import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { JsonSchema, Turn } from "../../agents/drivers/driver.ts";
import { readJsonFile } from "../../system/files/json-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { runGit } from "../../system/git/run-git.ts";
import { NO_USAGE } from "../../agents/cost/transcript.ts";
import type { TurnFolder } from "../run/turn-folder.ts";

/** What an answer depends on. The same again is the same answer. */
interface AnswerKey {
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

/** The conversation that a turn continues, and what it had reported: only what is new is charged. */
export type Continued = Pick<Turn, "conversation" | "reportedUsd" | "reportedUsage">;

export const NEW_CONVERSATION: Continued = { conversation: null, reportedUsd: null, reportedUsage: null };

const count = v.pipe(v.number(), v.finite(), v.minValue(0));
const tokens = v.object({ input: count, output: count, cacheRead: count, cacheWrite: count });
const continuedSchema = v.object({
  conversation: v.nullable(v.string()),
  reportedUsd: v.nullable(count),
  reportedUsage: v.nullable(
    v.pipe(
      tokens,
      v.transform((counts) => ({ ...NO_USAGE, ...counts })),
    ),
  ),
});

const FILE = "continued.json";

/** For whoever charges the turn after a kill. */
export function keepContinued(folder: TurnFolder, continued: Continued): void {
  const { conversation, reportedUsd, reportedUsage = null } = continued;
  try {
    writeAtomically(join(folder.path, FILE), JSON.stringify({ conversation, reportedUsd, reportedUsage }));
  } catch {
    // Then the whole conversation would be charged once more after a kill.
  }
}

export function keptContinued(folder: TurnFolder): Continued {
  return readJsonFile(join(folder.path, FILE), continuedSchema) ?? NEW_CONVERSATION;
}
