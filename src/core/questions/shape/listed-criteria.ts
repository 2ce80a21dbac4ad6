import { readClauses } from "../../spec/clause.ts";

const MOST = 20;
const LONGEST = 200;
const SHORTEST = 3;
const ENDING = /^(?:until|(?:done|finished|complete)\s(?:when|once))\s/i;

/** Statements that the spec itself lists as what has to be true: what stands under "Success criteria" or "Done when". */
export function listedCriteria(spec: string): readonly string[] {
  const listed = readClauses(spec)
    .filter(({ section, isQuestion }) => (section === "success" || section === "done") && !isQuestion)
    .map(({ text }) =>
      text
        .replace(/\s+/g, " ")
        .replace(ENDING, "")
        .replace(/[.;,]$/, "")
        .trim(),
    )
    .filter(({ length }) => length >= SHORTEST && length <= LONGEST);
  return [...new Set(listed)].slice(0, MOST);
}
