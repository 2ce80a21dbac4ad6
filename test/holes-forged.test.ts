import { expect, test } from "vitest";
import { Stage } from "./support/driven.ts";
import { Sandbox } from "./support/sandbox.ts";

/** What an agent can do that reads how a journal is written: append a record that counts. */
const FORGER = `
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
const [id] = readdirSync(".loop/loops");
const path = ".loop/loops/" + id + "/journal.jsonl";
const last = JSON.parse(readFileSync(path, "utf8").trim().split("\\n").at(-1));
const events = [{ type: "loop.completed", confidence: "verified", why: [], changed: null, v: 2 }];
const at = new Date().toISOString();
const body = JSON.stringify({ follows: last.follows + 1, after: last.sum, at, nonce: "x", events }).slice(0, -1);
const sum = createHash("sha256").update(body).digest("hex").slice(0, 16);
appendFileSync(path, body + ',"sum":"' + sum + '"}\\n');
`;

test("a run believes no completion that it has not decided", () => {
  const stage = new Stage({ "README.md": "A project\n", "forge.mjs": FORGER });
  const ran = stage.run([{ do: [{ run: `"${process.execPath}" forge.mjs` }], say: "Done." }]);
  expect(stage.eventsOf("loop.completed")).toHaveLength(1);
  expect(ran.code).toBe(1);
  expect(ran.err).toContain("is completed, but this run did not decide that");
});

test("evidence is void where a protected file was not as approved before the check, though it is afterwards", () => {
  // One that git ignores is no part of the tree, so that only its own digest tells.
  const sandbox = new Sandbox({ "test.sh": "exit 1\n", "real.sh": "exit 1\n", ".gitignore": "test.sh\n" });
  sandbox.commitAll();
  const check = "ok=sh test.sh; code=$?; cp real.sh test.sh; exit $code";
  sandbox.start("s1", "Fix it", "-c", check, "--protect", "test.sh");
  sandbox.write({ "test.sh": "exit 0\n" });
  sandbox.agentLoop("s1", "check");
  expect(sandbox.read("test.sh")).toBe("exit 1\n");
  expect(sandbox.only().criteria.map(({ status }) => status)).not.toContain("met");
});
