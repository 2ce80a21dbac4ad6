import { describe, expect, test } from "vitest";
import { evolve } from "../../src/core/events/evolve.ts";
import type { Loop } from "../../src/core/loop/loop.ts";
import type { AttemptResult, Executor } from "../../src/engine/plan/executor.ts";
import { DONE } from "./driven.ts";
import { ExecutorStage } from "./executor-stage.ts";
import { writes } from "./plan-stage.ts";
import type { PlayedPlace } from "./played-executor.ts";
import { PATIENCE_MS } from "./patience.ts";
import { childrenWith, leftIn } from "./processes-in.ts";

const SECRET = "s3cret-value-of-the-token";

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

function loopIn({ journal }: AttemptResult): Loop | null {
  let loop: Loop | null = null;
  for (const { at, events } of journal) for (const event of events) loop = evolve(loop, event, at);
  return loop;
}

/** What every executor promises, wherever its attempts run. */
export function describeExecutor(name: string, make: (place: PlayedPlace) => Executor): void {
  describe(`attempts ${name}`, () => {
    test("take and give plain data, with the result's commit, evidence, usage, learnings and journal", async () => {
      const stage = new ExecutorStage(make);
      const envelope = stage.envelope("T-001", [{ ...writes("T-001.txt"), usd: 0.25 }]);
      expect(throughJson(envelope)).toStrictEqual(envelope);
      const result = await stage.attempt(throughJson(envelope));

      expect(throughJson(result)).toStrictEqual(result);
      for (const news of stage.news) expect(throughJson(news)).toStrictEqual(news);
      expect(stage.news.map(({ type }) => type)).toContain("judged");
      expect(result).toMatchObject({
        key: envelope.key,
        outcome: { type: "finished", confidence: "verified" },
        usage: { usd: 0.25, turnUsd: 0.25, priced: true },
        evidence: [{ criterion: "T-001", evidence: { passed: true, exitCode: 0 } }],
      });
      const commit = result.outcome.type === "finished" ? (result.outcome.commit ?? "") : "";
      expect(stage.git("rev-parse", `${commit}^`).trim()).toBe(envelope.base);
      expect(stage.git("ls-tree", "--name-only", commit)).toBe("README.md\nT-001.txt\n");
      expect(loopIn(result)).toMatchObject({ id: envelope.loop, phase: "completed", spend: { usd: 0.25 } });
      // The user's own files are nobody's working directory.
      expect(stage.git("status", "--porcelain")).toBe("");
    });

    test("that fail say why, and what they cost", async () => {
      const stage = new ExecutorStage(make);
      const result = await stage.attempt(stage.envelope("T-001", [{ say: "I cannot do it.", usd: 0.5 }]));
      expect(result).toMatchObject({ outcome: { type: "set-back", setback: { kind: "failed" } } });
      expect(JSON.stringify(result.outcome)).toContain("I cannot do it.");
      expect(result.usage.usd).toBe(0.5);
      expect(result.learnings).toMatchObject([{ kind: "failure", context: "T-001: Write its file" }]);
      expect(result.evidence).toMatchObject([{ evidence: { passed: false } }]);
      expect(throughJson(result)).toStrictEqual(result);
      expect(loopIn(result)).toMatchObject({ phase: "paused", reason: "same-error" });
    });

    test("end now when they are aborted, with all that they started, and are resumed by the same key", async () => {
      const stage = new ExecutorStage(make);
      const work = [{ run: stage.meet("work") }, { write: "T-001.txt", text: "done\n" }];
      const envelope = stage.envelope("T-001", [{ do: work, say: DONE, usd: 0.25 }]);
      const abort = new AbortController();
      const running = stage.attempt(envelope, { signal: abort.signal });
      await stage.met("work");
      abort.abort();
      const stopped = await running;
      expect(stopped).toMatchObject({ key: envelope.key, outcome: { type: "stopped" } });
      expect(await leftIn(stage.home)).toEqual([]);
      // Nor one that watches over it: a plan makes many attempts.
      await expect.poll(() => childrenWith("guardian"), { timeout: PATIENCE_MS }).toEqual([]);

      stage.letGo("work");
      const result = await stage.attempt(envelope);
      expect(result.outcome.type).toBe("finished");
      // What was cut off had its cost, too.
      expect(result.usage.usd).toBeCloseTo(stopped.usage.usd + 0.25, 10);
    });

    test("aborted before they begin do nothing", async () => {
      const stage = new ExecutorStage(make);
      const envelope = stage.envelope("T-001", [{ do: [{ run: stage.noting("ran") }], say: DONE }]);
      const result = await stage.attempt(envelope, { signal: AbortSignal.abort() });
      expect(result.outcome).toEqual({ type: "stopped" });
      expect(stage.noted("ran")).toEqual([]);
    });

    test("asked to end soon finish their iteration, and are resumed by the same key", async () => {
      const stage = new ExecutorStage(make);
      const limits = { ...stage.envelope("T-001", [{}]).limits, sameError: 3 };
      const envelope = stage.envelope(
        "T-001",
        [{ do: [{ run: stage.meet("work") }], say: "Half of it.", usd: 0.25 }, writes("T-001.txt")],
        { limits },
      );
      const soon = new AbortController();
      const running = stage.attempt(envelope, { soon: soon.signal });
      await stage.met("work");
      soon.abort();
      stage.letGo("work");
      expect(await running).toMatchObject({ outcome: { type: "stopped" }, usage: { usd: 0.25 } });
      expect(await stage.attempt(envelope)).toMatchObject({ outcome: { type: "finished" } });
    });

    test("with one key are one attempt: joined while it runs, and over when it is over", async () => {
      const stage = new ExecutorStage(make);
      const work = [{ run: stage.noting("ran") }, { run: stage.meet("work") }];
      const envelope = stage.envelope("T-001", [
        { do: [...work, { write: "T-001.txt", text: "done\n" }], say: DONE, usd: 0.25 },
      ]);
      const first = stage.attempt(envelope);
      await stage.met("work");
      const second = stage.attempt(throughJson(envelope));
      stage.letGo("work");
      const result = await first;
      expect(await second).toEqual(result);
      expect(await stage.attempt(envelope)).toEqual(result);
      expect(stage.noted("ran")).toHaveLength(1);
      expect(result).toMatchObject({ outcome: { type: "finished" }, usage: { usd: 0.25 } });
    });

    test("with two keys at once don't see each other's files", async () => {
      const stage = new ExecutorStage(make);
      const results = await Promise.all(
        ["T-001", "T-002"].map(async (task, slot) =>
          stage.attempt(stage.envelope(task, [writes(`${task}.txt`)], { slot: slot + 1 })),
        ),
      );
      const files = results.map(({ outcome }) =>
        outcome.type === "finished"
          ? stage.git("ls-tree", "--name-only", outcome.commit ?? "")
          : outcome.type,
      );
      expect(files).toEqual(["README.md\nT-001.txt\n", "README.md\nT-002.txt\n"]);
    });

    test("wait for a usage limit that another attempt met", async () => {
      const stage = new ExecutorStage(make);
      const until = Date.now() + 1_000;
      const work = [{ run: stage.noting("ran") }, { write: "T-001.txt", text: "done\n" }];
      const envelope = stage.envelope("T-001", [{ do: work, say: DONE }]);
      const result = await stage.attempt(envelope, {
        waitsUntil: () => (Date.now() < until ? until : null),
      });
      expect(result.outcome.type).toBe("finished");
      expect(stage.noted("ran")[0]).toBeGreaterThanOrEqual(until);
    });

    test("know secrets by their names: values are on neither side of the seam", async () => {
      const stage = new ExecutorStage(make, { DEPLOY_TOKEN: SECRET });
      const check = stage.check('echo "token: $DEPLOY_TOKEN"; test -n "$DEPLOY_TOKEN" && test -f T-001.txt', [
        "DEPLOY_TOKEN",
      ]);
      const envelope = stage.envelope("T-001", [writes("T-001.txt")], {
        criteria: [{ name: "T-001", check }],
      });
      const result = await stage.attempt(envelope);
      expect(result.outcome.type).toBe("finished");
      expect(JSON.stringify(envelope)).toContain("DEPLOY_TOKEN");
      for (const side of [envelope, result, stage.news]) expect(JSON.stringify(side)).not.toContain(SECRET);
    });
  });
}
