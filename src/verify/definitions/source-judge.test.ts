import { expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { findDefinitions } from "./find-definitions.ts";

it.each<[line: string, judges: string, files?: { readonly [path: string]: string }]>([
  ["tsc --noEmit", "types javascript"],
  ["npx eslint . && npx prettier --check .", "rules javascript, form null"],
  ["python3 -m mypy src && ruff check src && ruff format --check", "types python, rules python, form python"],
  ["cargo clippy -- -D warnings", "rules rust"],
  ["go vet ./... && go build ./...", "rules go, build go"],
  ["sh -n deploy.sh", "build shell"],
  ["sh deploy.sh -n", ""],
  ["node --check a.js", "build javascript"],
  ["make", "build c", { Makefile: "app: main.c\n\t$(CC) -o app main.c\n" }],
  ["make app", "build c", { Makefile: "CFLAGS = -Werror\n", "app.c": "" }],
  ["gcc -o t test_a.c && ./t", "build c", { "test_a.c": "" }],
  ["node --test", ""],
  ["c8 --check-coverage --lines 90 node --test", "coverage javascript"],
  ["c8 node --test", ""],
  ["pytest --cov=src --cov-fail-under=90", "coverage python"],
  [
    "npx jest --coverage",
    "coverage javascript",
    { "jest.config.js": "coverageThreshold: { global: { lines: 90 } }" },
  ],
  ["npx jest", "", { "jest.config.js": "coverageThreshold: { global: { lines: 90 } }" }],
])("what %s says of the source is known: %s", async (line, judges, files = {}) => {
  const { sourceJudges } = await findDefinitions({
    command: { kind: "shell", line },
    files: filesInMemory(files),
  });
  expect(sourceJudges.map(({ reports, language }) => `${reports} ${language}`).join(", ")).toBe(judges);
});

it("keeps the tests that a compiler builds as what defines the check", async () => {
  const { definitions } = await findDefinitions({
    command: { kind: "shell", line: "gcc -o t test_a.c && ./t" },
    files: filesInMemory({ "test_a.c": "int main(void) { return 0; }" }),
  });
  expect(definitions).toContainEqual(expect.objectContaining({ kind: "test", path: "test_a.c" }));
});
