import type { Check } from "../../loop/criterion.ts";
import { isAllowedCheck } from "../allowed-checks.ts";
import { isSameCommand } from "../../../system/text/plain-text.ts";
import type { FoundCheck, ProjectFacts } from "../question.ts";
import { readClauses } from "../../spec/clause.ts";
import { codeSpans, insideOf, maskCode, isCommand } from "../../spec/code.ts";

/** Words that claim a success, in a statement that is about nothing else. */
const SUCCEEDS =
  /\b(?:pass(?:es|ing)?|green|clean|succeeds?|no (?:errors|warnings)|without (?:errors|warnings))\b/i;
const MOST_WORDS = 9;

/** By the statement that each of the project's checks shows. */
const SUBJECTS: readonly (readonly [spoken: RegExp, name: RegExp])[] = [
  [/\btests?\b|\btest suite\b/i, /^tests pass/],
  [/\blint(?:er|ing|s)?\b/i, /^lint clean/],
  [/\btype[ -]?(?:s|checks?|checking|errors?)\b|\btypes\b/i, /^no type errors/],
  [/\b(?:build|compile)s?\b/i, /^build succeeds/],
  [/\bformat(?:ting|ted)?\b/i, /^format clean/],
];

/** The check of the project that a statement names by its command, or is about and says nothing more than that it succeeds. */
export function checkInStatement(statement: string, { checks }: ProjectFacts): FoundCheck | null {
  const named = checks.find(({ command }) => speaksOf(statement, command));
  if (named !== undefined) return named;
  // It says itself what has to pass.
  if (namedCommands(statement).length > 0) return null;
  if (!SUCCEEDS.test(statement) || statement.split(/\s+/).length > MOST_WORDS) return null;
  const [, name = null] = SUBJECTS.find(([spoken]) => spoken.test(statement)) ?? [];
  return name === null ? null : (checks.find((each) => name.test(each.name)) ?? null);
}

/** Whether a statement says that a check passes, and nothing more. */
export function saysSuccess(statement: string): boolean {
  const { length } = statement.split(/\s+/);
  if (!SUCCEEDS.test(statement) || length > MOST_WORDS) return false;
  return namedCommands(statement).length > 0 || SUBJECTS.some(([spoken]) => spoken.test(statement));
}

function speaksOf(statement: string, command: string): boolean {
  const said = ` ${statement.replace(/[`"']/g, " ").replace(/\s+/g, " ")} `;
  const spellings = [command, command.replace(/^(npm|pnpm|yarn) run test\b/, "$1 test")];
  return spellings.some((each) => said.includes(` ${each} `) || said.includes(` ${each}, `));
}

/** A command that somebody wrote without a person's approval: a check if the project has it, or a pattern allows it. */
export function checkOfCommand(
  line: string,
  facts: ProjectFacts,
  {
    allowedChecks,
    checkTimeoutMs,
  }: { readonly allowedChecks: readonly string[]; readonly checkTimeoutMs: number },
): Check | null {
  const own = facts.checks.find(({ command }) => isSameCommand(command, line));
  if (own !== undefined) return checkOf(own.command, checkTimeoutMs, facts.checkFolder);
  const isAllowed = isAllowedCheck(line.trim(), { discovered: [], patterns: allowedChecks });
  return isAllowed ? checkOf(line.trim(), checkTimeoutMs, null) : null;
}

export function checkOf(line: string, timeoutMs: number, folder: string | null): Check {
  return {
    command: { kind: "shell", line },
    timeoutMs,
    passEnv: [],
    ...(folder === null ? {} : { folder }),
  };
}

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
