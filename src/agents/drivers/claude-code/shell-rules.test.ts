import { expect, test } from "vitest";
import { shellRules } from "./shell-rules.ts";

const ASKED = "This command requires approval";

// Each of them was seen to let its command pass in Claude Code 2.1.197.
test.each([
  ["npm test -- --run", ["Bash(npm test:*)"]],
  ["npm run build", ["Bash(npm run build:*)"]],
  ["npx vitest run", ["Bash(npx vitest:*)"]],
  ["npm run build && npm test", ["Bash(npm run build:*)", "Bash(npm test:*)"]],
  ["npm run build\nnpm test; npm test", ["Bash(npm run build:*)", "Bash(npm test:*)"]],
  ["cd src && npm test 2>&1 | tail -5", ["Bash(npm test:*)", "Bash(tail:*)"]],
  ["npm test > /dev/null 2>&1 || true", ["Bash(npm test:*)", "Bash(true:*)"]],
  ["npm test &>/dev/null", ["Bash(npm test:*)"]],
  ["npm test -- --name \"a && b; $HOME\" '(c)'", ["Bash(npm test:*)"]],
  ["FOO=1 npm test", ["Bash(FOO=1 npm test:*)"]],
  ["./run.sh --fast", ["Bash(./run.sh:*)"]],
  ["make", ["Bash(make:*)"]],
  ["touch src/new.txt", ["Bash(touch src/new.txt:*)"]],
  ["rm -rf build", ["Bash(rm -rf build)"]],
  ["node -e 'console.log((1+2))'", ["Bash(node -e 'console.log((1+2))')"]],
  ['python3 -c "print(1)"', ['Bash(python3 -c "print(1)")']],
])("%j may be run by %j", (line, rules) => {
  expect(shellRules(line, ASKED, null)).toEqual(rules);
});

test("of several commands, those that were asked for", () => {
  const answer =
    "This Bash command contains multiple operations. The following part requires approval: cd src && npm run build 2>&1";
  expect(shellRules("cd src && npm run build 2>&1 | tail -5", answer, null)).toEqual([
    "Bash(npm run build:*)",
  ]);
});

test.each([
  "echo $(npm test)",
  "echo `npm test`",
  'npm test "$(pwd)"',
  "(npm test)",
  "npm test &",
  "npm test > out.txt",
  "cat <<'E' > x.txt\nhello\nE",
  "npm test {a,b}",
  "for i in 1 2; do npm test; done",
  "! npm test",
  "npm test 'open",
  "node -e '\n'",
  "cd src",
  "A=1",
  "",
  `echo ${"x".repeat(3_000)}`,
])("no rule for a beginning lets %j pass", (line) => {
  expect(shellRules(line, ASKED, null)).toEqual(["Bash"]);
});

test("nor where the client objects to something else than the command", () => {
  const blocked = (path: string): string =>
    `touch in '${path}' was blocked. For security, Claude Code may only create or modify files in …`;
  expect(shellRules("touch /tmp/x", blocked("/tmp/x"), "/project")).toEqual(["Bash"]);
  expect(shellRules("touch x", blocked("/project/x"), "/project")).toEqual(["Bash(touch x:*)"]);
  expect(shellRules("npm test", "", null)).toEqual(["Bash"]);
});
