import type { MustNot } from "../loop/loop.ts";
import { limitsInWords } from "../spec/limits-in-words.ts";
import { boundariesIn } from "./work-boundary.ts";

const ABOUT_CHANGES =
  /\b(?:chang|touch|modif|edit|alter)\w{0,4}\b|\b(?:alone|unchanged|untouched|as (?:it|they) (?:is|are)|as is)\b/i;

/** What the spec says must hold and nothing watches: "leave the API alone". Agents and reviewers read it; the machine can't tell. */
export function unwatchedLimits({
  spec,
  mustNots,
}: {
  readonly spec: string;
  readonly mustNots: readonly MustNot[];
}): readonly string[] {
  const paths = mustNots
    .flatMap((each) => (each.kind === "path" ? [each.glob.replace(/\/?\*.*$/, "")] : []))
    .filter((path) => path !== "");
  const boundaries = boundariesIn(spec);
  return limitsInWords(spec)
    .filter((limit) => !boundaries.some(({ words }) => words.includes(limit) || limit.includes(words)))
    .filter((limit) => !(ABOUT_CHANGES.test(limit) && paths.some((path) => limit.includes(path))));
}
