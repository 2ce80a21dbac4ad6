import { codeSpans, insideOf, maskCode } from "./code-span.ts";
import { isCommand } from "./command.ts";
import type { Finding } from "./dimension.ts";
import { METHODS } from "./method-rules.ts";
import { matches } from "./rule.ts";

export interface Method {
  /** Two findings of one kind are one method. */
  readonly kind: string;
  readonly finding: Finding;
}

const VERDICT =
  /\b(?:pass(?:es|ing|ed)?|succeeds?|succeed|green|clean|exits?|no (?:\w{1,20}\s)?(?:errors?|warnings?|issues|changes|failures)|works?|runs?|shows?|reports?|prints?|produces?|returns?|builds?|covers?|ok|proves?|confirms?|verif(?:y|ies|ied)|check|before\s?(?:\/|and)\s?after)\b/i;

const CHECK_TOOL =
  /(?<![\w`./-])(?:tsc(?: --noEmit)?|vitest|jest|mocha|pytest|tox|mypy(?: --strict)?|pyright|ruff|eslint|oxlint|prettier|phpunit|rspec|playwright|cypress|clippy|rubocop|supertest|valgrind|flake8|pylint|stylelint|hyperfine|axe-core|hadolint|actionlint|shellcheck|phpstan|psalm|golangci-lint|swiftlint|checkstyle|spotless|detekt|ktlint|(?:cargo|go|npm|pnpm|yarn|swift|dotnet|flutter|mix|gradle|mvn) (?:run )?(?:test|bench|clippy|check|build|vet|lint|fmt|verify)|terraform (?:plan|validate)|k6(?: run)?|helm lint|make (?:test|lint|check|build)|storybook|axe|pa11y|lychee|link checker|semgrep|trivy|snyk|sonar(?:qube)?)(?![\w-])/i;

export function method(kind: string, quote: string, reason: string): Method {
  return { kind, finding: { points: 1, quote, reason } };
}

const JUDGED_CODE =
  /`[^`\n]{1,200}`\s(?:still\s|must\s)?(?:pass|succeed|exits?|proves?|shows?|confirms?|reports?|finds?|is clean|is green|works)/;

export function commandMethods(text: string): Method[] {
  const prose = maskCode(text);
  if (!VERDICT.test(prose)) return [];
  const judged = matches(JUDGED_CODE, text).join(" ");
  const quoted = codeSpans(text).filter((span) => isCommand(insideOf(span)) || judged.includes(span));
  return [...quoted, ...matches(CHECK_TOOL, prose)].map((quote) =>
    method(`command ${quote.replaceAll("`", "")}`, quote, "a command that checks it"),
  );
}

export function statedMethods(text: string): Method[] {
  const prose = maskCode(text);
  return METHODS.flatMap((rule) =>
    matches(rule.pattern, prose, text)
      .slice(0, 1)
      .map((quote) => method(rule.kind, quote, rule.reason)),
  );
}

const GENERAL_KINDS = new Map([
  [
    "tests",
    /\btest|\bvitest|\bjest|\bspec|^ci$|^unit|^integration|^end-to-end|tox|phpunit|cypress|playwright|rspec|pytest/,
  ],
  ["lint", /lint|clippy|ruff|eslint|flake8/],
  ["types", /\btsc\b|mypy|pyright|type-?check/],
  ["build", /\bbuild|compile/],
  ["benchmark", /\bbench|k6|lighthouse/],
  ["verify", /./],
  ["produce", /./],
]);

/** "Tests pass" adds nothing to `npm test`. */
export function distinctMethods(methods: readonly Method[]): Method[] {
  const kinds = [...new Map(methods.map((entry) => [entry.kind, entry])).values()];
  return kinds.filter(({ kind }) => {
    const covered = GENERAL_KINDS.get(kind);
    return (
      covered === undefined ||
      !kinds.some(
        (other) =>
          other.kind !== kind && !other.kind.startsWith("listed ") && covered.test(other.kind.toLowerCase()),
      )
    );
  });
}
