import type { Check } from "../../criterion.ts";
import { isAllowedCheck } from "../allowed-checks.ts";
import { isSameCommand } from "../../../system/text/command-line.ts";
import { namedCommands } from "./named-commands.ts";
import type { FoundCheck, ProjectFacts } from "../project-facts.ts";

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
