import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readTold } from "../src/engine/fleet/accept-result.ts";
import { checkEnvelope } from "../src/engine/fleet/check-envelope.ts";
import type { FleetEngine } from "../src/engine/fleet/fleet-engine.ts";
import type { FleetExecutor } from "../src/engine/fleet/fleet-executor.ts";
import { readSigned, signerOf } from "../src/engine/fleet/keys.ts";
import { jobIdOf, type FleetEnvelope } from "../src/engine/fleet/envelopes.ts";
import type { FleetResult } from "../src/engine/fleet/messages.ts";
import type { AttemptEnvelope, Executor } from "../src/engine/plan/executor.ts";
import { DONE } from "./support/driven.ts";
import { isCiEffort } from "./support/effort.ts";
import { ExecutorStage } from "./support/executor-stage.ts";
import { playDriver, playWorker, type PlayedWorker } from "./support/fleet-stage.ts";
import { memoryEngine, MemoryFleet } from "./support/memory-fleet.ts";
import { until } from "./support/patience.ts";
import { variant } from "./support/variant.ts";

const NOBODY: Executor = { runAttempt: async () => Promise.reject(new Error("nobody runs here")) };
const ending: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** Between the driver and the rows, or the rows and a worker: somebody who rewrites what is stored. */
type Tamper = (engine: FleetEngine, fleet: MemoryFleet) => FleetEngine;

interface Scene {
  readonly stage: ExecutorStage;
  readonly worker: PlayedWorker;
  readonly driver: FleetExecutor;
  readonly envelope: AttemptEnvelope;
  readonly fleet: MemoryFleet;
}

/** An attempt whose agent, check and file all leave a trace where they run. */
async function scene({
  driverSide = (engine) => engine,
  workerSide = (engine) => engine,
  part = {},
}: {
  readonly driverSide?: Tamper;
  readonly workerSide?: Tamper;
  readonly part?: Parameters<typeof playWorker>[3];
}): Promise<Scene> {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const worker = await playWorker(stage.place, workerSide(memoryEngine(fleet), fleet), "w1", part);
  const driver = await playDriver(stage.place, driverSide(memoryEngine(fleet), fleet), [worker]);
  ending.push(async () => {
    worker.now.abort();
    await Promise.all([worker.done, driver.close()]);
  });
  const ran = { run: stage.noting("ran") };
  const envelope = stage.envelope("T-001", [
    { do: [ran, { write: "T-001.txt", text: "done\n" }], say: DONE, usd: 0.25 },
  ]);
  return { stage, worker, driver, envelope, fleet };
}

async function attempted({ driver, envelope }: Scene): ReturnType<Executor["runAttempt"]> {
  const never = new AbortController().signal;
  return driver.runAttempt(envelope, {
    signal: never,
    soon: never,
    tell: () => undefined,
    waitsUntil: () => null,
  });
}

function rewriting(change: (envelope: string, fleet: MemoryFleet) => string): Tamper {
  return (engine, fleet) => ({
    ...engine,
    fetch: async (...asked) =>
      (await engine.fetch(...asked)).map((job) => ({ ...job, envelope: change(job.envelope, fleet) })),
  });
}

function withBody(text: string, change: (body: Record<string, unknown>) => void): string {
  const message = JSON.parse(text) as { body: string };
  const body = JSON.parse(message.body) as Record<string, unknown>;
  change(body);
  return JSON.stringify({ ...message, body: JSON.stringify(body) });
}

/** As a driver that this worker's owner never heard of would sign it. */
function signedBy(
  home: string,
  text: string,
  change: (body: Record<string, unknown>) => void = () => {},
): string {
  const body = structuredClone(readSigned(text)?.body) as Record<string, unknown>;
  change(body);
  return signerOf(home, "driver").sign(body);
}

interface Attack {
  readonly name: string;
  readonly tamper: (stageHome: string) => Tamper;
  readonly why: RegExp;
}

const HOSTILE = "'); drop table loop_fleet.news; -- $(touch /tmp/owned) `id`";

const ATTACKS: readonly Attack[] = [
  {
    name: "an envelope without a signature",
    tamper: () => rewriting((text) => JSON.stringify({ ...(JSON.parse(text) as object), signature: "" })),
    why: /isn't signed, or was altered/,
  },
  {
    name: "an altered command",
    tamper: () =>
      rewriting((text) =>
        withBody(text, (body) => Object.assign(body["attempt"] as object, { spec: HOSTILE })),
      ),
    why: /isn't signed, or was altered/,
  },
  {
    name: "one that a stranger signed",
    tamper: (home) => rewriting((text) => signedBy(join(home, "stranger"), text)),
    why: /which this worker's owner hasn't accepted/,
  },
  {
    name: "one of another job",
    tamper: () => (engine) => ({
      ...engine,
      fetch: async (...asked) =>
        (await engine.fetch(...asked)).map((job) => ({ ...job, id: jobIdOf("other/T-1/1", 1) })),
    }),
    why: /is of another job/,
  },
  {
    name: "what isn't JSON at all",
    tamper: () => rewriting(() => HOSTILE),
    why: /isn't signed, or was altered/,
  },
];

describe("a worker refuses, and runs nothing:", () => {
  /** Why it refused; what it ran instead, if it ran anything. */
  const refusal = async ({ stage, worker }: Scene): Promise<string> => {
    await until(() => worker.told.some(({ type }) => type === "refused"), "it to refuse");
    const isTaken = worker.told.some(({ type }) => type === "took");
    if (isTaken || stage.noted("ran").length > 0 || existsSync("/tmp/owned")) return "it was run";
    return worker.told.flatMap((news) => (news.type === "refused" ? [news.why] : []))[0] ?? "";
  };

  test.each(isCiEffort ? ATTACKS : ATTACKS.slice(0, 2))("$name", async ({ tamper, why }) => {
    const stranger = new ExecutorStage(() => NOBODY);
    const played = await scene({ workerSide: tamper(stranger.home) });
    void attempted(played).catch(() => undefined);
    expect(await refusal(played)).toMatch(why);
  });

  test("what the driver signed for another repository", async () => {
    const elsewhere = "0".repeat(64);
    const played = await scene({});
    const { stage, worker, fleet } = played;
    const signer = signerOf(join(stage.home, "state", "loopwright"), "driver");
    void attempted(played).catch(() => undefined);
    await until(() => fleet.jobs.size > 0 && worker.told.some(({ type }) => type === "ended"), "it to be so");
    const [job] = fleet.jobs.values();
    if (job === undefined) throw new Error("nothing was submitted");
    const body = structuredClone(readSigned(job.envelope)?.body) as Record<string, unknown>;
    const { key } = body["attempt"] as { readonly key: string };
    const id = jobIdOf(key, 7);
    const envelope = signer.sign({ ...body, job: id, exec: 7, repository: elsewhere });
    fleet.jobs.set(id, { ...job, id, exec: 7, envelope, state: { type: "waiting" } });
    await until(() => worker.told.some(({ type }) => type === "refused"), "it to be so");
    expect(worker.told.flatMap((news) => (news.type === "refused" ? [news.why] : []))).toEqual([
      "It is for a repository that this worker's owner hasn't named.",
    ]);
    expect(stage.noted("ran")).toHaveLength(1);
  });

  test("a job that it took before", async () => {
    const played = await scene({});
    const { stage, worker, fleet } = played;
    expect(await attempted(played)).toMatchObject({ outcome: { type: "finished" } });
    for (const job of fleet.jobs.values()) job.state = { type: "waiting" };
    await until(() => worker.told.some(({ type }) => type === "refused"), "it to be so");
    expect(worker.told).toContainEqual(
      expect.objectContaining({ type: "refused", why: "It was taken before, so somebody repeats it." }),
    );
    expect(stage.noted("ran")).toHaveLength(1);
  });

  variant("an agent that its owner doesn't let it run", async () => {
    const played = await scene({ part: { agents: ["codex"] } });
    // It doesn't even look into that queue; so somebody puts the job where it looks.
    const { fleet } = played;
    void attempted(played).catch(() => undefined);
    await until(() => fleet.jobs.size > 0, "it to be so");
    for (const [id, job] of fleet.jobs)
      fleet.jobs.set(id, { ...job, queue: job.queue.replace(/rehearsal$/, "codex") });
    expect(await refusal(played)).toMatch(/is of another job|doesn't let it run/);
  });

  variant("an envelope of a version that it doesn't understand", async () => {
    const played = await scene({});
    const home = join(played.stage.home, "state", "loopwright");
    ending.push(async () => undefined);
    played.worker.now.abort();
    await played.worker.done;
    const newer = await playWorker(
      played.stage.place,
      rewriting((text) => signedBy(home, text, (body) => Object.assign(body, { version: 3 })))(
        memoryEngine(played.fleet),
        played.fleet,
      ),
      "w1",
    );
    ending.push(async () => {
      newer.now.abort();
      await newer.done;
    });
    const result = await attempted(played);
    expect(result.outcome).toMatchObject({
      type: "paused",
      reason: "blocked",
      detail: expect.stringContaining("has version 3, and this worker understands 2") as string,
    });
    expect(played.stage.noted("ran")).toEqual([]);
  });
});

describe("a driver refuses", () => {
  const looking = (change: (result: string, fleet: MemoryFleet) => string): Tamper => {
    return (engine, fleet) => ({
      ...engine,
      look: async (jobs) =>
        (await engine.look(jobs)).map((seen) =>
          seen.state.type === "completed"
            ? { ...seen, state: { type: "completed", result: change(seen.state.result, fleet) } }
            : seen,
        ),
    });
  };
  const RESULTS: readonly { readonly name: string; readonly tamper: Tamper; readonly why: RegExp }[] = [
    {
      name: "a result that was altered",
      tamper: looking((text) => withBody(text, (body) => Object.assign(body, { usage: { usd: 0 } }))),
      why: /^Its result was refused: it isn't signed, or was altered\.$/,
    },
    {
      name: "news that somebody left out",
      tamper: (engine) => ({
        ...engine,
        look: async (jobs) => (await engine.look(jobs)).map((seen) => ({ ...seen, news: [] })),
      }),
      why: /^Its result was refused: what its worker told before is missing, or was altered\.$/,
    },
    {
      name: "news that somebody made up",
      tamper: (engine) => ({
        ...engine,
        look: async (jobs) =>
          (await engine.look(jobs)).map((seen) => ({ ...seen, news: seen.news.map(() => HOSTILE) })),
      }),
      why: /what its worker told before is missing, or was altered/,
    },
    {
      name: "news that somebody altered",
      tamper: (engine) => ({
        ...engine,
        look: async (jobs) =>
          (await engine.look(jobs)).map((seen) => ({
            ...seen,
            news: seen.news.map((text) => withBody(text, (body) => Object.assign(body, { more: 1 }))),
          })),
      }),
      why: /what its worker told before is missing, or was altered/,
    },
    {
      name: "a pack that isn't the commit's",
      tamper: (engine) => ({
        ...engine,
        code: async (commit) =>
          (await engine.code(commit)).map((row) => ({ ...row, pack: Buffer.from(HOSTILE) })),
      }),
      why: /^Its files didn't arrive: their pack is missing or damaged\.$/,
    },
  ];

  test.each(isCiEffort ? RESULTS : RESULTS.slice(0, 1))(
    "$name: the attempt is lost, and nothing of it is kept",
    async ({ tamper, why }) => {
      const played = await scene({ driverSide: tamper });
      const result = await attempted(played);
      expect(result.outcome).toMatchObject({ type: "set-back", setback: { kind: "lost" } });
      expect(result.outcome.type === "set-back" ? result.outcome.setback.detail : "").toMatch(why);
      expect(played.stage.git("for-each-ref", "refs/loopwright")).toBe("");
      expect(played.stage.git("status", "--porcelain")).toBe("");
    },
  );

  /** As a worker that was accepted, and lies. */
  const lying = (change: (result: Record<string, unknown>) => void): Tamper => {
    return (engine, fleet) =>
      looking((text) => {
        const body = structuredClone(readSigned(text)?.body) as Record<string, unknown>;
        change(body);
        return liar?.sign(body) ?? "";
      })(engine, fleet);
  };
  let liar: PlayedWorker["signer"] | null = null;

  test("a commit that its worker names and didn't send", async () => {
    const played = await scene({
      driverSide: lying(({ outcome }) => Object.assign(outcome as object, { commit: "a".repeat(40) })),
    });
    liar = played.worker.signer;
    expect((await attempted(played)).outcome).toMatchObject({
      setback: { detail: "Its result names a commit that it didn't send." },
    });
  });

  test("a commit that isn't based on what its attempt started from", async () => {
    let commit = "";
    const played = await scene({
      driverSide: lying(({ outcome, commits }) => {
        Object.assign(outcome as object, { commit });
        Object.assign(commits as object, { result: commit });
      }),
    });
    const { stage, worker } = played;
    liar = worker.signer;
    const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    commit = stage.git(...identity, "commit-tree", "-m", "from nowhere", "HEAD^{tree}").trim();
    expect((await attempted(played)).outcome).toMatchObject({
      setback: { detail: "Its files didn't arrive: they aren't based on what it started from." },
    });
    expect(stage.git("for-each-ref", "refs/loopwright")).toBe("");
  });

  test("records that a stranger signed: they aren't even shown", async () => {
    const home = join(new ExecutorStage(() => NOBODY).home, "stranger");
    const played = await scene({
      driverSide: (engine) => ({
        ...engine,
        look: async (jobs) =>
          (await engine.look(jobs)).map((seen) => ({
            ...seen,
            news: seen.news.map((text) => signedBy(home, text)),
          })),
      }),
    });
    expect(await attempted(played)).toMatchObject({ outcome: { setback: { kind: "lost" } }, journal: [] });
  });

  variant("what a worker signed that it hasn't accepted: such a worker gets no job", async () => {
    const stage = new ExecutorStage(() => NOBODY);
    const fleet = new MemoryFleet();
    const stranger = await playWorker(stage.place, memoryEngine(fleet), "w9");
    const driver = await playDriver(stage.place, memoryEngine(fleet), []);
    ending.push(async () => {
      stranger.now.abort();
      await Promise.all([stranger.done, driver.close()]);
    });
    const envelope = stage.envelope("T-001", [{ do: [{ run: stage.noting("ran") }], say: DONE }]);
    const stop = new AbortController();
    const running = driver.runAttempt(envelope, {
      signal: stop.signal,
      soon: stop.signal,
      tell: () => undefined,
      waitsUntil: () => null,
    });
    await until(() => fleet.jobs.size > 0 && fleet.workers.size > 0, "it to be so");
    await new Promise((resolve) => setTimeout(resolve, 500));
    stop.abort();
    expect((await running).outcome).toEqual({ type: "stopped" });
    expect(stranger.told).not.toContainEqual(expect.objectContaining({ type: "took" }));
    expect(stage.noted("ran")).toEqual([]);
  });
});

test("what was really signed counts for its own job, worker, agent and day alone", async () => {
  const played = await scene({});
  const { worker, fleet } = played;
  await attempted(played);
  const [job] = fleet.jobs.values();
  if (job?.state.type !== "completed") throw new Error("nothing was completed");
  const sent = readSigned(job.envelope);
  const told = readSigned(job.state.result);
  if (sent === null || told === null) throw new Error("it wasn't signed");
  const { repository, expires } = sent.body as FleetEnvelope;
  const allowed = {
    drivers: new Set([sent.by]),
    repositories: new Map([[repository, worker.root]]),
    agents: ["rehearsal"],
  } as const;
  expect(checkEnvelope(allowed, job, expires)).toMatchObject({ driver: sent.by, root: worker.root });
  expect(checkEnvelope(allowed, job, expires + 1)).toBe("Its envelope has expired.");
  expect(checkEnvelope(allowed, { ...job, queue: "other" }, 0)).toBe("Its envelope is of another job.");
  expect(checkEnvelope({ ...allowed, agents: ["codex"] }, job, 0)).toMatch(/doesn't let it run rehearsal/);

  const { fingerprint } = worker.signer;
  const { result } = job.state;
  const { written } = told.body as FleetResult;
  const its = { id: job.id, position: written, worker: fingerprint };
  const pins = new Map([[fingerprint, "w1"]]);
  expect(readTold(result, its, pins)).toMatchObject({ fingerprint });
  expect(readTold(result, its, new Map())).toMatch(/which you haven't accepted/);
  expect(readTold(result, { ...its, id: jobIdOf("other/T-1/1", 1) }, pins)).toBe(
    "it is of another execution.",
  );
  expect(readTold(result, { ...its, worker: "SHA256:other" }, pins)).toMatch(/is missing, or was altered/);
});

const CONTROLS = [
  {
    name: "without the driver's signature",
    forged: (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), signature: "" }),
  },
  {
    name: "of a stranger",
    forged: (text: string) => signedBy(join(new ExecutorStage(() => NOBODY).home, "stranger"), text),
  },
] as const;

test.each(CONTROLS)("a worker doesn't obey an order $name", async ({ forged }) => {
  const heard: string[] = [];
  const played = await scene({
    workerSide: (engine) => ({
      ...engine,
      controls: async (ids) => {
        heard.push(...ids);
        const order = { purpose: "control", abort: true, soon: true, waitsUntil: null, advice: [] };
        return new Map(ids.map((job) => [job, forged(driverSigner().sign({ ...order, job }))]));
      },
    }),
  });
  const driverSigner = (): ReturnType<typeof signerOf> =>
    signerOf(join(played.stage.home, "state", "loopwright"), "driver");
  expect((await attempted(played)).outcome.type).toBe("finished");
  expect(heard).not.toEqual([]);
});
