import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Asked } from "../src/core/questions/question.ts";
import { agentAsker } from "../src/engine/asking/agent-asker.ts";
import { plainAccount } from "../src/engine/asking/loop-account.ts";
import { keepContinued } from "../src/engine/asking/kept-answers.ts";
import type { LoopId, SessionId } from "../src/core/loop/id.ts";
import { parsePrices } from "../src/agents/cost/price.ts";
import { NO_USAGE } from "../src/agents/cost/transcript.ts";
import type { KnownLoop } from "../src/storage/loops/known-loop.ts";
import { openKnown } from "../src/storage/loops/known-loop.ts";
import { endOfAbandoned } from "../src/engine/run/take-loop.ts";
import { rehearsalOf } from "../src/engine/run/agent-choice.ts";
import { findProject } from "../src/storage/home/project.ts";
import { question, runBegan } from "./support/asking-loop.ts";
import type { Verdict } from "./support/asking-loop.ts";
import { AskingStage, GOOD } from "./support/asking-stage.ts";
import { asked } from "./support/stage-builders.ts";
import { CLI } from "./support/driven.ts";
import type { PlayedTurn } from "./support/driven.ts";
import { variant } from "./support/variant.ts";
import { oneOf } from "./support/effort.ts";
import { PATIENT } from "./support/patience.ts";

const NEVER = new AbortController().signal;
const ANSWERED = {
  type: "answered",
  answer: { verdict: "good", score: 7 },
  agent: "rehearsal",
  isCached: false,
};

async function asks(turns: readonly PlayedTurn[]): Promise<{ stage: AskingStage; asked: Asked<Verdict> }> {
  const stage = new AskingStage();
  stage.plays("review-1", turns);
  const asked = await stage.asker(await stage.opened()).ask(question(), NEVER);
  return { stage, asked };
}

const closed = (id: string, failure: string | null, usd: number | null): readonly unknown[] => [
  {
    type: "question.closed",
    question: id,
    failure: failure === null ? null : (expect.stringContaining(failure) as string),
  },
  ...(usd === null ? [] : [{ type: "cost.charged", usd, tokens: 0, priced: true }]),
];
const opened = (id: string): readonly unknown[] => [
  expect.objectContaining({
    type: "question.asked",
    question: id,
    purpose: "thorough-review",
    agent: "rehearsal",
  }),
];

describe("a question", () => {
  test("is in the journal before it is asked, and its end and its cost are one record", async () => {
    const { stage, asked } = await asks([GOOD]);
    expect(asked).toEqual(ANSWERED);
    expect(stage.asked()).toEqual([opened("review-1-1"), closed("review-1-1", null, 0.25)]);
    expect(stage.own("runs/review-1-1/prompt.md")).toMatch(
      /^Is it good\?\n\n.*\n\nAnswer with one JSON object/s,
    );
    expect(stage.leftovers()).toEqual([]);
  });

  test.each(
    oneOf<readonly [title: string, first: PlayedTurn, why: string]>([
      ["words", { say: "All is well." }, "not one JSON object"],
      ["nothing", {}, "There was no answer"],
      ["another form", { say: '{"verdict":3}' }, "another form than was asked for. verdict:"],
      ["nothing of it", { say: "{}" }, "another form than was asked for. verdict is missing."],
      ["a list", { say: '["good", 7]' }, "not one JSON object"],
      ["something without an end", { say: "[".repeat(200_000) }, "not one JSON object"],
    ]),
  )("that is answered with %s is put once more, with what is wrong", async (_, first, why) => {
    const { stage, asked } = await asks([{ usd: 0.5, ...first }, GOOD]);
    expect(asked).toEqual(ANSWERED);
    expect(stage.asked()).toEqual([
      opened("review-1-1"),
      closed("review-1-1", why, 0.5),
      opened("review-1-2"),
      closed("review-1-2", null, 0.25),
    ]);
    expect(stage.own("runs/review-1-2/prompt.md")).toMatch(/^Your answer can't be used\. (?!Is it good)/);
  });

  test("is put twice, and no more", async () => {
    const { stage, asked } = await asks([{ say: "No." }, { say: "No!" }, GOOD]);
    expect(asked).toEqual({
      type: "unanswered",
      why: "The answer is not one JSON object.",
      agent: "rehearsal",
    });
    expect(stage.asked()).toHaveLength(4);
  });

  test("that somebody complains about is put once more", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [{ say: '{"verdict":"good","score":70}' }, GOOD]);
    const complaint = ({ score }: Verdict): string | null => (score > 10 ? "The score is up to 10." : null);
    const asked = await stage.asker(await stage.opened()).ask(question({ complaint }), NEVER);
    expect(asked).toEqual(ANSWERED);
    expect(stage.own("runs/review-1-2/prompt.md")).toContain("The score is up to 10.");
  });

  test.each(
    oneOf([
      '```json\n{"verdict":"good","score":7}\n```',
      'Let me think: {"a": 1}\n\n```\n{"verdict":"good","score":7}\n```\nThat is all.',
      'The answer is {"verdict":"good","score":7}.',
      '{"verdict":"\\u001b[31mgood\\u202e\\u0000","score":7,"extra":{"__proto__":1}}',
    ]),
  )("may be answered with %j", async (say) => {
    expect((await asks([{ say }])).asked).toEqual(ANSWERED);
  });

  variant("survives an answer of 10 MB, and one that floods", async () => {
    const huge = JSON.stringify({ verdict: "x".repeat(7 * 1024 * 1024), score: 1 });
    const { asked } = await asks([{ do: [{ flood: 10 * 1024 * 1024 }], say: huge }, GOOD]);
    expect(asked).toEqual(ANSWERED);
  });

  test.each(
    oneOf<readonly [kind: string, turn: PlayedTurn, why: string]>([
      ["blocking", { trouble: { kind: "blocking", detail: "no key" } }, "no key"],
      ["budget", { trouble: { kind: "budget", detail: "too dear" } }, "too dear"],
      ["unknown", { do: [{ exit: 7 }] }, "exit code 7"],
    ]),
  )("is not put again where that is of no use: %s", async (_, turn, why) => {
    const { stage, asked } = await asks([turn, GOOD]);
    expect(asked).toMatchObject({ type: "unanswered", why: expect.stringContaining(why) as string });
    expect(asked).not.toHaveProperty("waitsUntil");
    expect(stage.asked()).toHaveLength(2);
  });

  test("says until when a usage limit lasts", async () => {
    const { asked } = await asks([{ trouble: { kind: "usage-limit", resetsInMs: 60_000 } }]);
    expect(asked).toMatchObject({ type: "unanswered", waitsUntil: expect.any(Number) as number });
  });

  test("is put again after a failure that may pass, as a new one", async () => {
    const { stage, asked } = await asks([{ trouble: { kind: "transient" } }, GOOD]);
    expect(asked).toEqual(ANSWERED);
    expect(stage.own("runs/review-1-2/prompt.md")).toMatch(/^Is it good/);
  });

  variant("that is never answered is given up, and nothing goes on running", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [{ usd: 0.5, do: [{ hang: true }] }]);
    const { live } = await stage.opened();
    const account = await plainAccount(stage.machine, stage.root, 5);
    const choice = rehearsalOf(stage.scripts);
    const { table } = parsePrices(null);
    const asker = agentAsker({
      machine: stage.machine,
      root: stage.root,
      account,
      choice,
      prices: table,
      cli: CLI,
      timeLimitMs: 1_000,
    });
    const asked = await asker.ask(question(), NEVER);
    expect(asked).toMatchObject({ type: "unanswered", why: "there was no answer within 1 s" });
    await account.leave();
    expect(stage.leftovers()).toEqual([]);
    expect(live.loop.spend.usd).toBe(0);
  });

  test("is stopped with whoever asks", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [{ do: [{ hang: true }] }]);
    const stop = new AbortController();
    const chosen = await stage.opened();
    const asking = stage.asker(chosen).ask(question(), stop.signal);
    await stage.untilAsked();
    stop.abort();
    expect(await asking).toMatchObject({ type: "unanswered", why: "it was stopped" });
    expect(chosen.live.loop.stages?.questions).toEqual([]);
    expect(await stage.asker(chosen).ask(question(), stop.signal)).toMatchObject({ type: "unanswered" });
  });
});

describe("whoever is asked", () => {
  const HARMFUL: PlayedTurn = {
    ...GOOD,
    do: [
      { write: "README.md", text: "Changed!\n" },
      { write: "new/file.txt", text: "New!\n" },
      { run: "git add -A && git commit -qm Harm && chmod -R 000 new" },
      { run: "loop done; true" },
    ],
  };

  variant("reads the files of the commit, and whatever it writes is thrown away", async () => {
    const stage = new AskingStage();
    const commit = stage.git("rev-parse", "HEAD").trim();
    stage.write({ "README.md": "Not committed\n" });
    stage.plays("review-1", [
      { ...GOOD, do: [{ run: "grep -qx 'A project' README.md || exit 9" }, ...(HARMFUL.do ?? [])] },
    ]);
    const chosen = await stage.opened();
    const before = [stage.git("for-each-ref"), stage.git("status", "--porcelain")];
    expect(await stage.asker(chosen).ask(question({ commit }), NEVER)).toEqual(ANSWERED);
    expect(stage.own("runs/review-1-1/output.jsonl")).not.toContain("exit code 9");
    expect([stage.git("for-each-ref"), stage.git("status", "--porcelain")]).toEqual(before);
    expect(stage.read("README.md")).toBe("Not committed\n");
    expect(stage.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(chosen.live.loop.frames[0].exitSignal).toBe(false);
    expect(stage.leftovers()).toEqual([]);
  });

  test("has an empty folder where there is no commit", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [{ ...GOOD, do: [{ run: 'test -z "$(ls -A)" || exit 9' }] }]);
    expect(await stage.asker(await stage.opened()).ask(question(), NEVER)).toEqual(ANSWERED);
    expect(stage.own("runs/review-1-1/output.jsonl")).not.toContain("exit code 9");
  });

  test("doesn't see secrets kept in what it prints", async () => {
    const stage = new AskingStage();
    stage.env["API_TOKEN"] = "s3cret-s3cret-s3cret";
    stage.plays("review-1", [{ say: '{"verdict":"s3cret-s3cret-s3cret","score":7}' }]);
    const asked = await stage.asker(await stage.opened()).ask(question(), NEVER);
    expect(JSON.stringify(asked)).not.toContain("s3cret");
    expect(stage.own("runs/review-1-1/output.jsonl")).not.toContain("s3cret");
  });

  test("is the reviewer for reviews, and for nothing else", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [GOOD]);
    stage.plays("intent", [GOOD]);
    const chosen = await stage.opened();
    const asker = stage.asker(chosen, {
      driver: "codex",
      model: "gpt",
      reviewer: { driver: "rehearsal", model: "m" },
    });
    expect(await asker.ask(question(), NEVER)).toEqual(ANSWERED);
    expect(stage.asked()[0]).toMatchObject([{ agent: "rehearsal", model: "m" }]);
    // Codex is not installed here.
    const other = await asker.ask(question({ purpose: "intent", id: "intent" }), NEVER);
    expect(other).toMatchObject({ type: "unanswered", agent: "codex" });
    expect(stage.asked()[2]).toMatchObject([{ agent: "codex", model: "gpt" }]);
  });

  test.each([
    [{ driver: "command", command: "cat" }, "a command can't be held to reading"],
    [{ script: "/nowhere" }, "the rehearsal has no review-1.json or thorough-review.json"],
  ] as const)("cannot be %j", async (choice, why) => {
    const stage = new AskingStage();
    const asker = stage.asker(await stage.opened(), choice);
    expect(asker.whyNobody?.(question())).toBe(why);
    expect(await asker.ask(question(), NEVER)).toEqual({ type: "unanswered", why, agent: null });
    expect(stage.asked()).toEqual([]);
  });
});

describe("money", () => {
  test("is looked at before each turn, and in the middle of one", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [{ say: "No.", usd: 5 }]);
    stage.plays("dear", [{ usd: 100, do: [{ hang: true }] }]);
    const chosen = await stage.opened({ budgetUsd: 4 });
    const asker = stage.asker(chosen);
    const dear = await asker.ask(question({ id: "dear" }), NEVER);
    expect(dear).toMatchObject({
      type: "unanswered",
      why: "the budget was used up in the middle of the answer",
    });
    expect(chosen.live.loop.spend.usd).toBe(50);
    const next = await asker.ask(question(), NEVER);
    expect(next).toMatchObject({
      type: "unanswered",
      why: expect.stringMatching(/^the budget is used up/) as string,
    });
    expect(stage.asked()).toHaveLength(2);
  });

  test("is not spent where no model is to be asked, or the loop is another's", async () => {
    const quiet = new AskingStage();
    quiet.plays("review-1", [GOOD]);
    const asker = quiet.asker(await quiet.opened({ asks: false }));
    expect(await asker.ask(question(), NEVER)).toMatchObject({ why: "no model is asked in this loop" });
    expect(quiet.asked()).toEqual([]);

    const stage = new AskingStage();
    stage.plays("review-1", [GOOD]);
    const chosen = await stage.opened();
    await chosen.live.record(() => [{ type: "loop.paused", reason: "user", detail: null, by: "person" }]);
    expect(await stage.asker(chosen).ask(question(), NEVER)).toMatchObject({ why: "the loop was stopped" });
  });

  test("is still charged when the loop is cancelled meanwhile", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [
      { ...GOOD, do: [{ run: `until test -e ${stage.home}/go; do sleep 0.02; done` }] },
    ]);
    const chosen = await stage.opened();
    const asking = stage.asker(chosen).ask(question(), NEVER);
    await stage.untilAsked();
    await chosen.live.record(() => [{ type: "loop.cancelled", by: "person" }]);
    writeFileSync(join(stage.home, "go"), "");
    expect(await asking).toEqual(ANSWERED);
    expect(chosen.live.loop).toMatchObject({ phase: "cancelled", spend: { usd: 0.25 } });
  });
});

describe("an answer", () => {
  variant("is kept for the same question about the same files, in this loop alone", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [GOOD, { say: '{"verdict":"bad","score":1}' }, GOOD]);
    const commit = stage.git("rev-parse", "HEAD").trim();
    const chosen = await stage.opened();
    const asker = stage.asker(chosen);
    expect(await asker.ask(question({ commit }), NEVER)).toEqual(ANSWERED);
    stage.git("commit", "-q", "--allow-empty", "-m", "Nothing");
    const same = stage.git("rev-parse", "HEAD").trim();
    expect(await asker.ask(question({ commit: same }), NEVER)).toEqual({ ...ANSWERED, isCached: true });
    expect(stage.asked()).toHaveLength(2);

    stage.write({ "README.md": "Other\n" });
    stage.git("commit", "-aqm", "Other");
    const other = stage.git("rev-parse", "HEAD").trim();
    expect(await asker.ask(question({ commit: other }), NEVER)).toMatchObject({ answer: { verdict: "bad" } });
  });

  test("that was kept and cannot be used any more is asked for again", async () => {
    const stage = new AskingStage();
    stage.plays("review-1", [GOOD, GOOD]);
    const asker = stage.asker(await stage.opened());
    await asker.ask(question(), NEVER);
    const locks = join(stage.home, "state/loopwright/loops");
    const [lock = ""] = readdirSync(locks);
    const answers = join(locks, lock, "answers");
    const [kept = ""] = readdirSync(answers);
    expect(JSON.parse(readFileSync(join(answers, kept), "utf8"))).toEqual({ value: ANSWERED.answer });
    for (const text of ["{", '{"value":{"verdict":1}}', '{"value":[]}']) {
      writeFileSync(join(answers, kept), text);
      expect(await asker.ask(question({ id: "again" }), NEVER)).not.toMatchObject({ isCached: true });
    }
    rmSync(answers, { recursive: true });
    expect(existsSync(join(stage.root, ".loop", "loops", stage.id, "answers"))).toBe(false);
    mkdirSync(answers);
  });
});

describe("after a kill in the middle of a question", () => {
  const PROGRAM = resolve("dist/test-programs/ask.mjs");

  async function killed(
    turns: readonly PlayedTurn[],
    at: (stage: AskingStage) => boolean,
  ): Promise<AskingStage> {
    const stage = new AskingStage();
    stage.plays("review-1", turns);
    const commit = stage.git("rev-parse", "HEAD").trim();
    const child = spawn(process.execPath, [PROGRAM, stage.scripts, CLI, commit], {
      cwd: stage.root,
      env: stage.env,
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    await expect.poll(() => at(stage), PATIENT).toBe(true);
    child.kill("SIGKILL");
    await ended;
    return stage;
  }

  async function resumed(stage: AskingStage): Promise<KnownLoop> {
    const chosen = await openKnown(stage.machine, findProject(stage.root), stage.id as LoopId);
    if (chosen === null) throw new Error("the loop is not locked");
    await chosen.live.record((loop) => [
      ...endOfAbandoned(chosen.live.project, loop),
      runBegan(stage.session),
    ]);
    await stage.recovers(chosen);
    return chosen;
  }

  const hangs = (stage: AskingStage): boolean => stage.printed().includes('"tool":"Hang"');

  test("what it had printed is charged once, nothing is left, and it may be asked again", async () => {
    const stage = await killed([{ usd: 0.5, do: [{ write: "x", text: "" }, { hang: true }] }], hangs);
    expect(stage.leftovers()).not.toEqual([]);
    const chosen = await resumed(stage);
    expect(stage.asked().slice(1)).toEqual([closed("review-1-1", "its run was killed", 0.25)]);
    expect(stage.leftovers()).toEqual([]);
    expect(stage.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    await stage.recovers(chosen);
    expect(chosen.live.loop.spend.usd).toBe(0.25);

    stage.plays("review-1", [GOOD]);
    const commit = stage.git("rev-parse", "HEAD").trim();
    expect(await stage.asker(chosen).ask(question({ commit }), NEVER)).toEqual(ANSWERED);
    expect(stage.asked().slice(2)).toEqual([opened("review-1-2"), closed("review-1-2", null, 0.25)]);
  });

  variant("the second turn is charged for itself", async () => {
    const stage = await killed(
      [
        { say: "No.", usd: 1 },
        { usd: 0.5, do: [{ hang: true }] },
      ],
      hangs,
    );
    await resumed(stage);
    expect(stage.asked()).toEqual([
      opened("review-1-1"),
      closed("review-1-1", "not one JSON object", 1),
      opened("review-1-2"),
      closed("review-1-2", "its run was killed", 0.25),
    ]);
  });

  test("of an agent that counts over a whole conversation, only what is new is charged", async () => {
    const stage = new AskingStage();
    const chosen = await stage.opened();
    const run = "run-00000000-0000-4000-8000-000000000000" as SessionId;
    const folder = join(stage.root, ".loop/loops", stage.id, "runs", "review-1-2");
    mkdirSync(folder, { recursive: true });
    const conversation = "01a1e28c-45f0-7b62-9289-147b39b549b5";
    const before = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
    const usage = { input_tokens: 150, output_tokens: 20, cached_input_tokens: 0 };
    keepContinued(
      { id: "review-1-2", path: folder },
      {
        conversation,
        reportedUsd: null,
        reportedUsage: { ...NO_USAGE, ...before },
      },
    );
    const lines = [
      { type: "thread.started", thread_id: conversation },
      { type: "turn.completed", usage },
    ];
    writeFileSync(join(folder, "output.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await chosen.live.record(() => [asked("review-1-2", run)]);
    await stage.recovers(chosen);
    expect(chosen.live.loop.stages?.questions).toEqual([]);
    expect(chosen.live.loop.spend.tokens).toBe(60);
  });

  test("one to an agent that this version doesn't know is closed, and costs nothing", async () => {
    const stage = new AskingStage();
    const chosen = await stage.opened();
    const run = "run-00000000-0000-4000-8000-000000000000" as SessionId;
    await chosen.live.record(() => [{ ...asked("review-1-1", run), agent: "another-agent" }]);
    await stage.recovers(chosen);
    expect(chosen.live.loop.stages?.questions).toEqual([]);
    expect(chosen.live.loop.spend).toMatchObject({ usd: 0, priced: true });
  });

  variant("the commands that go on without a run close it, too, and list its worktree as dead", async () => {
    const stage = await killed([{ usd: 0.5, do: [{ hang: true }] }], hangs);
    expect(stage.loop("worktrees").out).toMatch(/^dead +ask_review-1 /);
    expect(stage.loop("worktrees", "--remove").code).toBe(0);
    expect(stage.leftovers()).toEqual([]);
    expect(stage.loop("cancel").code).toBe(0);
    expect(stage.asked().slice(1)).toEqual([closed("review-1-1", "its run was killed", 0.25)]);
  });
});
