const CODE_SPAN = /`[^`\n]{1,200}`/g;

/** The spans in backticks, with their backticks. */
export function codeSpans(text: string): string[] {
  return text.match(CODE_SPAN) ?? [];
}

export function insideOf(span: string): string {
  return span.slice(1, -1).trim();
}

/** Blanks code out without moving any other character, so that a match can be quoted from the original. */
export function maskCode(text: string): string {
  return text.replace(CODE_SPAN, (span) => " ".repeat(span.length));
}

const RUNNERS = new Set(
  (
    "npm npx pnpm yarn bun bunx deno node go cargo make just pytest python python3 uv poetry tox nox mypy pyright ruff black flake8 " +
    "tsc vitest jest mocha ava eslint oxlint biome prettier playwright cypress gradle gradlew mvn sbt dotnet docker terraform tofu " +
    "kubectl helm swift xcodebuild flutter dart rspec bundle rake rails mix composer phpunit phpstan curl psql k6 bash sh ctest cmake " +
    "bazel nx turbo lerna hadolint shellcheck actionlint markdownlint golangci-lint staticcheck clippy ansible-playbook ansible-lint dbt git gh zig"
  ).split(" "),
);

const ALWAYS_COMMANDS = new Set(
  "pytest mypy pyright ruff tox nox tsc vitest jest eslint oxlint phpunit rspec golangci-lint shellcheck".split(
    " ",
  ),
);

/** A line one could type: a known program with arguments, a script path, or a checker by its name. */
export function isCommand(code: string): boolean {
  const [program = "", ...words] = code.trim().split(/\s+/, 4);
  const name = program.replace(/^\.\//, "");
  if (ALWAYS_COMMANDS.has(name)) return true;
  if (RUNNERS.has(name)) return words.length > 0;
  if (/^(?:bin|scripts?|tools)\/[\w./-]+$/.test(program)) return words.length > 0;
  return /^\.\/[\w./-]+$/.test(program) && (words.length > 0 || /\.(?:sh|py|bash)$/.test(program));
}
