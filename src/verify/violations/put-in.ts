import { randomBytes } from "node:crypto";
import type { ComparedCheck } from "../baseline/compare.ts";
import { readFileNow } from "../baseline/injected-files.ts";
import type { Place } from "../baseline/kept-files.ts";
import { filesThen, type ReplacedFile } from "../baseline/replacements.ts";
import type { Candidate } from "./candidates.ts";
import { onlyMistake, spellerOf, withMistake, type PutIn } from "./mistakes.ts";

/** A file with a mistake in it, whose message would contain a word that nobody can guess. */
export interface ViolatedFile {
  readonly candidate: Candidate;
  readonly nonce: string;
  readonly file: ReplacedFile;
}

/** The current files, each with a mistake of that kind; `isAlone`: with nothing else in them. */
export async function violatedNow(
  { root }: Place,
  kind: PutIn,
  candidates: readonly Candidate[],
  { isAlone = false } = {},
): Promise<readonly ViolatedFile[]> {
  const violated: ViolatedFile[] = [];
  for (const candidate of candidates) {
    const { path } = candidate;
    const file = await readFileNow(root, path);
    const made = file === null ? null : violate(candidate, kind, file.text, { isAlone });
    if (file !== null && made !== null)
      violated.push({ ...made, candidate, file: { path, mode: file.mode, content: made.content } });
  }
  return violated;
}

/** The files in which the same code was at the opening, each with the same mistake. */
export async function violatedThen(
  place: Place,
  { baseline }: ComparedCheck,
  kind: PutIn,
  candidates: readonly Candidate[],
  { isAlone = false } = {},
): Promise<readonly ViolatedFile[]> {
  const origins = candidates.flatMap(({ from }) => from ?? []);
  const old = await filesThen(place, baseline, new Set(origins));
  return candidates.flatMap((candidate): readonly ViolatedFile[] => {
    const { from } = candidate;
    const file = from === null ? undefined : old.get(from);
    if (from === null || file === undefined || file.mode === "120000") return [];
    const made = violate({ path: from, from }, kind, file.content.toString("utf8"), { isAlone });
    return made === null
      ? []
      : [{ candidate, nonce: made.nonce, file: { path: from, mode: file.mode, content: made.content } }];
  });
}

/** A file that lost its ending is violated as it was. */
function violate(
  { path, from }: Pick<Candidate, "path" | "from">,
  kind: PutIn,
  text: string,
  { isAlone = false } = {},
): { readonly nonce: string; readonly content: Buffer } | null {
  const nonce = `t${randomBytes(8).toString("hex")}`;
  const speller = spellerOf(path) ?? (from === null ? null : spellerOf(from));
  const code = speller?.spell(kind, text, nonce) ?? null;
  if (code === null) return null;
  return { nonce, content: Buffer.from(isAlone ? onlyMistake(text, code) : withMistake(text, code)) };
}
