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
    commands: "go vet, staticcheck",
    reports: "rules",
    language: "go",
    files: "go.work staticcheck.conf",
    parts: { "go.mod": ["replacements"] },
  },
  {
    commands: "go build",
    reports: "build",
    language: "go",
    files: "go.work",
    parts: { "go.mod": ["replacements"] },
  },
  { commands: "gofmt, gofumpt, goimports", reports: "form", language: "go" },
  { commands: "golangci-lint", reports: "rules", language: "go", files: ".golangci.{yml,yaml,toml,json}" },
  {
    commands: "cargo test, cargo t, cargo nextest, cargo llvm-cov, cargo tarpaulin, cross test",
    tests: "rust",
    files: `${CARGO_FILES} .config/nextest.toml`,
    parts: CARGO_TEST_PARTS,
    inline: /^/,
  },
  {
    commands: "cargo clippy",
    reports: "rules",
    language: "rust",
    files: `${CARGO_FILES} clippy.toml .clippy.toml`,
    parts: CARGO_LINT_PARTS,
  },
  { commands: "cargo fmt, rustfmt", reports: "form", language: "rust", files: "rustfmt.toml .rustfmt.toml" },
  {
    commands: "cargo check, cargo build, cargo doc",
    reports: "build",
    language: "rust",
    files: CARGO_FILES,
    parts: CARGO_LINT_PARTS,
  },
  { commands: "rspec", tests: "ruby", files: ".rspec .rspec-local" },
  {
    commands: "rake test, rake spec, rake, rails test, minitest, cucumber",
    tests: "ruby",
    files: "Rakefile rakefile Rakefile.rb .rspec cucumber.yml config/cucumber.yml",
  },
  {
    commands: "rubocop, standardrb",
    reports: "rules",
    language: "ruby",
    files: ".rubocop.yml .rubocop_todo.yml .standard.yml",
  },
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
    reports: "types",
    language: "php",
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
  { commands: "prove, yath", tests: "perl", files: ".proverc .yath.rc" },
  { commands: "busted", tests: "lua", files: ".busted" },
  { commands: "bats, shunit2, shellspec", tests: "shell", files: ".shellspec" },
  {
    commands: "gcc, g++, cc, c++, clang, clang++, tcc",
    tests: "built",
    reports: "build",
    language: "c",
  },
  { commands: "javac, kotlinc, scalac", tests: "built", reports: "build", language: "java" },
  { commands: "rustc", tests: "built", reports: "build", language: "rust" },
  { commands: "swiftc, swift build", tests: "built", reports: "build", language: "swift" },
  { commands: "dotnet build", tests: "built", reports: "build", language: "dotnet" },
  { commands: "mix compile", tests: "built", reports: "build", language: "elixir" },
  {
    commands: "dart analyze, flutter analyze",
    reports: "rules",
    language: "dart",
    files: "analysis_options.yaml",
  },
  { commands: "clang-tidy, cppcheck", reports: "rules", language: "c", files: ".clang-tidy" },
  { commands: "clang-format", reports: "form", language: "c", files: ".clang-format" },
  {
    commands: "psalm, phan",
    reports: "types",
    language: "php",
    files: "psalm.xml psalm.xml.dist .phan/config.php",
  },
  {
    commands: "phpcs",
    reports: "rules",
    language: "php",
    files: ".phpcs.xml phpcs.xml .phpcs.xml.dist phpcs.xml.dist",
  },
  { commands: "shfmt", reports: "form", language: "shell", files: ".editorconfig" },
  { commands: "shellcheck", reports: "rules", language: "shell", files: ".shellcheckrc" },
  {
    commands: "hadolint, yamllint, markdownlint, markdownlint-cli2, actionlint, typos",
    reports: "rules",
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
