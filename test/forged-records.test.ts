import { expect, test } from "vitest";
import { STAGE_EVENT_VERSION } from "../src/core/stages/stage-event.ts";
import { DONE, Stage } from "./support/driven.ts";
import { plan, PlanStage } from "./support/plan-stage.ts";
import { Sandbox } from "./support/sandbox.ts";
import { oneOf } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

/** What an agent can do that reads how a journal is written: append a record that counts, to the loop whose id begins like this. */
const forger = (folder: string, beginning: string, events: readonly object[]): string => `
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
const loops = ${JSON.stringify(folder)} + "/.loop/loops/";
const id = readdirSync(loops).find((name) => name.startsWith(${JSON.stringify(beginning)}));
const path = loops + id + "/journal.jsonl";
const last = JSON.parse(readFileSync(path, "utf8").trim().split("\\n").at(-1));
const events = ${JSON.stringify(events)};
const at = new Date().toISOString();
const body = JSON.stringify({ follows: last.follows + 1, after: last.sum, at, nonce: "x", events }).slice(0, -1);
const sum = createHash("sha256").update(body).digest("hex").slice(0, 16);
appendFileSync(path, body + ',"sum":"' + sum + '"}\\n');
`;

const COMPLETED = { type: "loop.completed", confidence: "verified", why: [], changed: null, v: 2 };

test("a run believes no completion that it has not decided", () => {
  const stage = new Stage({ "README.md": "A project\n", "forge.mjs": forger(".", "", [COMPLETED]) });
  const ran = stage.run([{ do: [{ run: `"${process.execPath}" forge.mjs` }], say: "Done." }]);
  expect(stage.eventsOf("loop.completed")).toHaveLength(1);
  expect(ran.code).toBe(1);
  expect(ran.err).toContain("is completed, but this run did not decide that");
});

test("the work of a completion that no run has decided becomes no commit while its checks fail", () => {
  const stage = new Stage({ "README.md": "A project\n", "forge.mjs": forger(".", "", [COMPLETED]) });
  const forge = { do: [{ run: `"${process.execPath}" forge.mjs` }], say: "Done." };
  expect(stage.run([forge], "--commit").code).toBe(1);
  expect(stage.loop("continue")).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Not committed: "done" doesn't pass now.`),
  });
  expect(stage.git("log", "--format=%s")).toBe("start\n");
});

const GATE = {
  ...{ type: "gate.judged", round: 1, commit: null, tasks: 1, passed: true, items: [], survivors: [] },
  v: STAGE_EVENT_VERSION["gate.judged"],
};

const REVIEW = {
  ...{ type: "work.reviewed", round: 1, commit: null, perspectives: [], score: 10, findings: [], dropped: 0 },
  ...{ unseen: [], agent: "codex", failure: null, v: STAGE_EVENT_VERSION["work.reviewed"] },
};

variant.each(
  oneOf<readonly [what: string, events: readonly object[], code: number, says: string]>([
    ["no completion", [COMPLETED], 1, "is completed, but this run did not decide that"],
    ["no review", [REVIEW], 4, "results that this run did not decide: review 1"],
    ["no gate", [GATE], 4, "results that this run did not decide: gate 1"],
  ]),
)("a run of a plan believes %s that it has not decided", (_, events, code, says) => {
  const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
  stage.write({ "../forge.mjs": forger(stage.root, "a-plan-", events) });
  const forge = { run: `"${process.execPath}" "${stage.root}/../forge.mjs"` };
  const scripts = { "T-001": [{ do: [{ write: "one.txt", text: "1\n" }, forge], say: DONE, usd: 0.01 }] };
  const ran = stage.work(scripts, "--no-model");
  expect(`${ran.out}${ran.err}`).toContain(says);
  expect(ran.code).toBe(code);
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
