import type { Tool } from "./tools.ts";

const CARGO_FILES = ".cargo/config.toml .cargo/config";

/**
 * In a Cargo.toml, the targets and profiles that say which tests run, and how, count. Dependencies are source, even those of the
 * tests: honest new tests need them, and the tests themselves are locked.
 */
const CARGO_TEST_PARTS = {
  "Cargo.toml": [
    "[test]",
    "[lib]",
    "[package.autotests]",
    "[profile.test]",
    "[profile.dev]",
    "[workspace.members]",
    "[workspace.exclude]",
    "[workspace.default-members]",
  ],
};
const CARGO_LINT_PARTS = { "Cargo.toml": ["[lints]", "[workspace.lints]"] };

export const OTHER_TOOLS: readonly Tool[] = [
  {
    commands: "go test, gotestsum, ginkgo, richgo test",
    tests: "go",
    files: "go.work .golangci.yml",
    parts: { "go.mod": ["replacements"] },
  },
  {
    commands: "go vet, go build, staticcheck",
    files: "go.work staticcheck.conf",
    parts: { "go.mod": ["replacements"] },
  },
  { commands: "golangci-lint", files: ".golangci.{yml,yaml,toml,json}" },
  {
    commands: "cargo test, cargo t, cargo nextest, cargo llvm-cov, cargo tarpaulin, cross test",
    tests: "rust",
    files: `${CARGO_FILES} .config/nextest.toml`,
    parts: CARGO_TEST_PARTS,
    inline: /^/,
  },
  { commands: "cargo clippy", files: `${CARGO_FILES} clippy.toml .clippy.toml`, parts: CARGO_LINT_PARTS },
  { commands: "cargo fmt, rustfmt", files: "rustfmt.toml .rustfmt.toml" },
  { commands: "cargo check, cargo build, cargo doc", files: CARGO_FILES, parts: CARGO_LINT_PARTS },
  { commands: "rspec", tests: "ruby", files: ".rspec .rspec-local" },
  {
    commands: "rake test, rake spec, rake, rails test, minitest, cucumber",
    tests: "ruby",
    files: "Rakefile rakefile Rakefile.rb .rspec cucumber.yml config/cucumber.yml",
  },
  { commands: "rubocop, standardrb", files: ".rubocop.yml .rubocop_todo.yml .standard.yml" },
  {
    commands: "mvn test, mvn verify, mvn package, mvn install, mvnw test, mvnw verify",
    tests: "java",
    files: ".mvn/maven.config .mvn/jvm.config .mvn/extensions.xml",
    parts: { "pom.xml": ["surefire plugins"] },
  },
  {
    commands: "gradle test, gradle check, gradle build, gradlew test, gradlew check, gradlew build",
    tests: "java",
    files: "gradle.properties init.gradle",
    parts: { "build.gradle": ["testing blocks"], "build.gradle.kts": ["testing blocks"] },
  },
  { commands: "sbt test", tests: "java", files: ".sbtopts" },
  {
    commands: "phpunit, pest, paratest, codecept run",
    tests: "php",
    files: "phpunit.xml phpunit.xml.dist phpunit.dist.xml codeception.yml",
  },
  {
    commands: "phpstan",
    files: "phpstan.neon phpstan.neon.dist phpstan.dist.neon phpstan-baseline.neon",
  },
  {
    commands: "dotnet test",
    tests: "dotnet",
    files: ".runsettings Directory.Build.props Directory.Build.targets",
  },
  { commands: "mix test", tests: "elixir", files: ".formatter.exs" },
  { commands: "swift test", tests: "swift" },
  { commands: "dart test, flutter test", tests: "dart", files: "dart_test.yaml" },
  { commands: "ctest, meson test, zig build", tests: "c", files: "CTestConfig.cmake" },
  { commands: "bats, shunit2, shellspec", tests: "shell", files: ".shellspec" },
  { commands: "shellcheck", files: ".shellcheckrc" },
  {
    commands: "hadolint, yamllint, markdownlint, markdownlint-cli2, actionlint, typos",
    files:
      ".hadolint.yaml .yamllint .yamllint.{yml,yaml} .markdownlint.{json,jsonc,yaml,yml} .markdownlint-cli2.{jsonc,yaml} typos.toml _typos.toml",
  },
  {
    commands: "composer test, composer run, composer run-script",
    tests: "php",
    files: "phpunit.xml phpunit.xml.dist",
    parts: { "composer.json": ["scripts"] },
  },
];
