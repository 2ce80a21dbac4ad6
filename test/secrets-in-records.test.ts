import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FINISHES, Stage, saying } from "./support/driven.ts";
import { heldReason, Sandbox } from "./support/sandbox.ts";

const TOKEN = `ghp_${"a1B2".repeat(10)}`;
const KEY_LINES = ["MIIEpAIBAAKCAQEA7bq1firstLine", "c2Vjb25kTGluZU9mVGhlS2V5secondLine"];
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${KEY_LINES.join("\n")}\n-----END RSA PRIVATE KEY-----\n`;
const ENV = { DATABASE_URL: "postgres://app:hunter2-or-more@db:5432/app", DEPLOY_KEY: KEY };
const SECRETS = [TOKEN, "hunter2-or-more", ...KEY_LINES];

/** Whatever is kept below a folder, as text, by path. */
function kept(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, "utf8")]);
}

function expectNoneIn({ root, home }: Sandbox): void {
  const files = [...kept(join(root, ".loop")), ...kept(join(home, "state"))];
  for (const secret of SECRETS)
    expect(files.filter(([, text]) => text.includes(secret)).map(([path]) => path)).toEqual([]);
}

test("what a check prints of a database's address or a key reaches neither files nor the agent", () => {
  const sandbox = new Sandbox();
  writeFileSync(join(sandbox.home, "key.txt"), KEY);
  const print = `echo "cannot reach $DATABASE_URL"; sed 's/^/  /' ${join(sandbox.home, "key.txt")}; exit 1`;
  sandbox.start("s1", "Make it work", "-c", `works=${print}`);
  const env = { ...ENV, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" };
  const ran = sandbox.loopWith({ env }, "check");
  expect(ran.out).toContain("postgres://app:[");
  sandbox.agentLoop("s1", "done");
  const reason = heldReason(sandbox.stop("s1", {}, ENV));
  expect(reason).toContain("cannot reach postgres://app:[");
  for (const secret of SECRETS) expect(ran.out + reason).not.toContain(secret);
  expectNoneIn(sandbox);
});

test("what an agent says is kept without the tokens in it", () => {
  const sandbox = new Sandbox();
  const { id } = sandbox.start("s1", "Make it work", "-c", "looks good");
  sandbox.agentLoop("s1", "step", "add", `use ${TOKEN}`);
  sandbox.agentLoop("s1", "step", "done", `use ${TOKEN}`);
  sandbox.agentLoop("s1", "criteria", "met", "looks good", "--by", "observation", "--note", `with ${TOKEN}`);
  sandbox.agentLoop("s1", "blocked", `cannot log in with ${TOKEN} at ${ENV.DATABASE_URL}`);
  expect(readFileSync(sandbox.journal(id), "utf8")).toContain(
    "cannot log in with [token withheld] at postgres://app:[password withheld]@db:5432/app",
  );
  expect(sandbox.status()[0]?.steps).toEqual([{ name: "use [token withheld]", status: "done" }]);
  expectNoneIn(sandbox);
});

test("what a driven agent says is neither in its turn's files nor in the next prompt", () => {
  const stage = new Stage();
  const say = saying(`I used ${TOKEN} and ${KEY}`, "EXIT_SIGNAL: true");
  const ran = stage.loopWith({ env: ENV }, ...stage.opening([{ say }, FINISHES]));
  expect(ran).toMatchObject({ code: 0 });
  expect(stage.own("journal.jsonl")).toContain("I used [token withheld]");
  expectNoneIn(stage);
});

test("the user's own spec and commands stay as they were written", () => {
  const sandbox = new Sandbox();
  const { id } = sandbox.start("s1", `Rotate ${TOKEN}`, "-c", `works=test "$T" != ${TOKEN}`);
  expect(sandbox.status()).toMatchObject([{ id, spec: `Rotate ${TOKEN}` }]);
});
