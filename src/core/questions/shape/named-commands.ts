import { readClauses } from "../../spec/clause.ts";
import { codeSpans, insideOf, maskCode, isCommand } from "../../spec/code.ts";

const MOST = 3;
const LONGEST = 200;
/** A statement about something that succeeds. */
const VERDICT = /\b(?:pass(?:es|ing)?|succeeds?|green|clean|exits?)\b/i;
/** Where a command ends in a sentence. */
const BEHIND =
  /^(?:pass(?:es|ing)?|succeeds?|exits?|is|are|works?|runs?|stays?|and|or|but|then|so|with|without|until|when|while|for|again|locally|here)$/i;
/** Many programs have an everyday word for a name; what follows tells `make test` from "make it". */
const ARGUMENT =
  /^(?:-|\.\.?\/|[\w@.-]*\/)|\.\w{1,5}$|^(?:test|tests|build|lint|check|vet|verify|bench|ci|run)(?::|$)/;
const ALONE = /^(?:pytest|mypy|pyright|ruff|tox|nox|tsc|vitest|jest|eslint|oxlint|phpunit|rspec)$/;

/** Commands that the spec names as what has to pass, as far as they can be told from prose. None of them is approved. */
export function namedCommands(spec: string): readonly string[] {
  const found = readClauses(spec)
    .filter(({ text, section, isQuestion }) => VERDICT.test(text) && section !== "constraints" && !isQuestion)
    .flatMap(({ text }) => [
      ...codeSpans(text).map(insideOf).filter(isCommand),
      ...maskCode(text)
        .split(/[,;()"]|\s{2,}/)
        .flatMap(commandIn),
    ]);
  return [...new Set(found)].filter(({ length }) => length <= LONGEST).slice(0, MOST);
}

function commandIn(phrase: string): readonly string[] {
  const words = phrase.trim().split(/\s+/);
  const from = words.findIndex(
    (word, index) =>
      ALONE.test(word) || (ARGUMENT.test(words[index + 1] ?? "") && isCommand(words.slice(index).join(" "))),
  );
  if (from < 0) return [];
  const rest = words.slice(from);
  const end = rest.findIndex((word, index) => index > 0 && BEHIND.test(word));
  const command = rest.slice(0, end < 0 ? rest.length : end).join(" ");
  return [command.replace(/[.:!?]+$/, "")];
}
