import { describe, expect, it } from "vitest";
import { hidesExitCode } from "./hidden-exit-code.ts";

function where(line: string): readonly string[] {
  return hidesExitCode({ kind: "shell", line }).map((each) => each.where);
}

describe("an exit code is hidden by", () => {
  it.each([
    ["npm test | tail -3", ["| tail -3"]],
    ["npm test 2>&1 | tee out.txt", ["| tee out.txt"]],
    ["npm test | grep -q passing", ["| grep -q passing"]],
    ["npm test |& cat", ["| cat"]],
    ["npm test || true", ["|| true"]],
    ["npm test || :", ["|| :"]],
    ["npm test || exit 0", ["|| exit 0"]],
    ["npm test || echo failed", ["|| echo failed"]],
    ["(npm test || true) && echo fine", ["|| true"]],
    ["(npm test) || true", ["|| true"]],
    ["(npm test); true", ["; true"]],
    ["(cd app && npm test) | tail -3", ["| tail -3"]],
    ["{ npm test; } || true", ["|| true"]],
    ["{ npm test; } | tail -3", ["| tail -3"]],
    ["for each in a b; do npm test $each; done | cat", ["| cat"]],
    ["npm test; true", ["; true"]],
    ["npm test; exit 0", ["; exit 0"]],
    ["npm test\ntrue", ["; true"]],
    ["npm test; npm run lint", ["; npm run lint"]],
    ["! grep -r TODO src", ["! grep -r TODO src"]],
    ["test -e src || ! grep -r TODO src", ["! grep -r TODO src"]],
    ["test -e src && ! grep -r TODO src lib", ["! grep -r TODO src lib"]],
    ["! git grep TODO src", ["! git grep TODO src"]],
    ["! npm test", ["! npm test"]],
    ["npm test &", ["npm test &"]],
    ["npm test & wait", ["npm test &"]],
    ["set +e && npm test", ["set +e"]],
    ["if npm test; then echo ok; fi", ["if npm test"]],
    ['echo "$(npm test)"', ["echo $(npm test)"]],
    ["trap 'exit 0' EXIT; npm test", ["trap exit 0 EXIT"]],
    ["npm run test --if-present", ["--if-present"]],
    ["npx jest --passWithNoTests", ["--passWithNoTests"]],
    ["ruff check --exit-zero .", ["--exit-zero"]],
    ["make -i test", ["make -i test"]],
    ["sh -c 'npm test || true'", ["|| true"]],
  ])("%s", (line, expected) => {
    expect(where(line)).toEqual(expected);
  });

  it("an argv that is a shell", () => {
    expect(
      hidesExitCode({ kind: "argv", argv: ["bash", "-c", "npm test | tail"] }).map((each) => each.where),
    ).toEqual(["| tail"]);
  });
});

describe("nothing is hidden by", () => {
  it.each([
    "npm test",
    "npm run lint && npm test",
    "cd app; npm test",
    "set -e; npm run lint; npm test",
    "set -o pipefail; npm test | tail -3",
    "bash -o pipefail -c 'npm test | tail -3'",
    "npm test 2>&1",
    "npm test > out.txt 2>&1",
    "npm test &> out.txt",
    "echo hello | grep -q hello",
    "test -e src && ! test -e old",
    "test -e src && ! grep -r TODO src",
    "[ -d src ] && test -f a.js && ! grep TODO src a.js",
    "cd src && ! grep -r TODO .",
    "! git grep TODO",
    "(npm run lint) && (npm test)",
    "(npm test)",
    "{ npm test; }",
    "(cd app; npm test) || exit 1",
    "[ ! -e old ]",
    "npm start & sleep 1; npm test",
    "npm test; code=$?; rm -rf tmp; exit $code",
    "npm test || exit 1",
    "test -f done.txt || { echo 'done.txt is missing'; exit 1; }",
    "npm test || { cat log; false; }",
    "npm test || npm run test:again",
    "if ! npm test; then exit 1; fi",
    "grep 'a | b || true; true &' file",
    "",
  ])("%s", (line) => {
    expect(where(line)).toEqual([]);
  });
});

it("says what to write instead", () => {
  const advice = (line: string): string => hidesExitCode({ kind: "shell", line })[0]?.advice ?? "";
  expect(advice("npm test | tail -3")).toContain("set -o pipefail");
  expect(advice("npm test | tail -3")).toContain("bash");
  expect(advice("npm test; true")).toContain("&&");
  expect(advice("! grep -rn TODO src")).toContain("test -e src && ! grep -rn TODO src");
});
