import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { endJobs } from "../src/engine/fleet/end-jobs.ts";
import type { FleetEngine } from "../src/engine/fleet/fleet-engine.ts";
import { readSigned, signerOf } from "../src/engine/fleet/keys.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { attemptName, worktreePath } from "../src/worktrees/attempts/marker.ts";
import { attempt, LEASE_MS, scene, twoTurns } from "./support/fleet-scene.ts";
import { memoryEngine } from "./support/memory-fleet.ts";
import { PATIENCE_MS, PATIENT, until } from "./support/patience.ts";
import { leftIn } from "./support/processes-in.ts";
import { variant } from "./support/variant.ts";

test("a worker that was killed goes on where it was, and what it told before and after is believed as one", async () => {
  const played = await scene(["w1"]);
  const { stage, fleet, workers, startAgain } = played;
  const [first] = workers;
  const running = attempt(played, twoTurns(stage));
  await stage.met("work");
  await until(() => [...fleet.news.values()].flat().join("").includes("0.5"), "the first turn to be told");
  // Nothing that it says at its end is heard, as if it had said nothing.
  if (first !== undefined) first.cut.isCut = true;
  first?.now.abort();
  await first?.done;
  stage.letGo("work");
  const again = await startAgain("w1");
  const result = await running;
  expect(result).toMatchObject({ outcome: { type: "finished" }, usage: { priced: true } });
  expect(result.usage.usd).toBeGreaterThanOrEqual(0.75);
  expect(again.told).toContainEqual(expect.objectContaining({ type: "took", isResumed: true }));
  expect([...fleet.jobs.values()].map(({ exec }) => exec)).toEqual([1]);
  // Nothing of the second process was written over by the first.
  expect([...fleet.news.values()].flat().filter((text) => text.includes("begun"))).toHaveLength(2);
});

describe("a plan that is over", () => {
  test("ends what a worker does for it that couldn't be told", async () => {
    const played = await scene(["w1"]);
    const { stage, fleet, driver, workers } = played;
    const [worker] = workers;
    void attempt(played, twoTurns(stage)).catch(() => undefined);
    await stage.met("work");
    if (worker !== undefined) worker.cut.isCut = true;
    await driver.close();
    await memoryEngine(played.fleet).forget(stage.place.workflow);
    if (worker !== undefined) worker.cut.isCut = false;
    await until(() => worker?.told.some(({ type }) => type === "lost") === true, "it to hear of it");
    expect(await leftIn(stage.home)).toEqual([]);
    expect([...fleet.jobs.values()]).toEqual([]);
  });

  test("and that nobody drives ends what runs, and leaves nothing in the database or on a worker", async () => {
    const played = await scene(["w1"]);
    const { stage, fleet, driver, workers } = played;
    const [worker] = workers;
    void attempt(played, twoTurns(stage)).catch(() => undefined);
    await stage.met("work");
    const which = { loop: stage.place.workflow, name: attemptName("T-001", 1) };
    const path = worktreePath({ stateHome: worker?.machine.home ?? "", root: worker?.root ?? "", ...which });
    expect(existsSync(path)).toBe(true);
    await driver.close();
    const signer = signerOf(createMachine(stage.place.env, stage.place.root).home, "driver");
    const { workflow } = stage.place;
    await endJobs({ engine: memoryEngine(fleet), signer, workflow, patienceMs: PATIENCE_MS });
    expect([...fleet.jobs.values()]).toEqual([]);
    expect(worker?.told.map(({ type }) => type)).not.toContain("lost");
    expect(await leftIn(stage.home)).toEqual([]);
    await expect.poll(() => existsSync(path), PATIENT).toBe(false);
  });

  test("leaves nothing on a worker that kept an attempt to resume", async () => {
    const played = await scene(["w1"]);
    const { stage, driver, workers, startAgain } = played;
    const [worker] = workers;
    const soon = new AbortController();
    const envelope = twoTurns(stage);
    const running = attempt(played, envelope, { soon: soon.signal });
    await stage.met("work");
    soon.abort();
    worker?.now.abort();
    await Promise.all([running, worker?.done]);
    const which = { loop: stage.place.workflow, name: attemptName("T-001", 1) };
    const path = worktreePath({ stateHome: worker?.machine.home ?? "", root: worker?.root ?? "", ...which });
    expect(existsSync(path)).toBe(true);
    await driver.close();
    await memoryEngine(played.fleet).forget(stage.place.workflow);
    await startAgain("w1");
    await expect.poll(() => existsSync(path), PATIENT).toBe(false);
    stage.letGo("work");
  });
});

test("what a worker kept and resumes is not cleared away while it runs", async () => {
  const played = await scene(["w1"]);
  const { stage, fleet, workers, startAgain } = played;
  const [worker] = workers;
  const soon = new AbortController();
  const envelope = twoTurns(stage);
  const running = attempt(played, envelope, { soon: soon.signal });
  await stage.met("work");
  soon.abort();
  worker?.now.abort();
  await Promise.all([running, worker?.done]);
  const again = await startAgain("w1");
  const resumed = attempt(played, envelope);
  await until(() => again.told.some(({ type }) => type === "took"), "it to be resumed");
  // As if the plan were over, and the worker hadn't been told.
  for (const [id, job] of fleet.jobs) fleet.jobs.set(id, { ...job, workflow: "another-plan-1abc" });
  const seen = (): number => fleet.workers.get(again.signer.fingerprint)?.at ?? 0;
  for (let look = 0; look < 2; look += 1) {
    const before = seen();
    await until(() => seen() > before, "it to look around");
  }
  for (const [id, job] of fleet.jobs) fleet.jobs.set(id, { ...job, workflow: stage.place.workflow });
  stage.letGo("work");
  expect((await resumed).outcome.type).toBe("finished");
});

test("a worker that doesn't say that it has begun is known all the same by its result", async () => {
  const signed = { home: "" };
  const played = await scene(["w1"], (engine) => ({
    ...engine,
    write: async (job, position, text) => {
      const body = structuredClone(readSigned(text)?.body) as { items: readonly { readonly type: string }[] };
      body.items = body.items.filter(({ type }) => type !== "begun");
      return engine.write(job, position, signerOf(signed.home, "worker").sign(body));
    },
  }));
  signed.home = played.workers[0]?.machine.home ?? "";
  played.stage.letGo("work");
  const placed: string[] = [];
  await attempt(played, twoTurns(played.stage), { placed: (name) => placed.push(name) });
  expect(placed).toEqual(["w1"]);
});

describe("a worker with a later version", () => {
  /** As a version would write records whose events this one doesn't know. */
  const later = (engine: FleetEngine, home: () => string): FleetEngine => ({
    ...engine,
    write: async (job, position, text) => {
      const body = structuredClone(readSigned(text)?.body) as {
        items: { type: string; record?: { events: { v: number }[] } }[];
      };
      for (const { record } of body.items) for (const event of record?.events ?? []) event.v = 99;
      return engine.write(job, position, signerOf(home(), "worker").sign(body));
    },
  });

  test("is believed without its records", async () => {
    let home = "";
    const played = await scene(["w1"], (engine) => later(engine, () => home));
    const { stage, workers } = played;
    home = workers[0]?.machine.home ?? "";
    stage.letGo("work");
    const result = await attempt(played, twoTurns(stage));
    expect(result).toMatchObject({ outcome: { type: "finished" }, usage: { usd: 0.75 }, journal: [] });
  });

  variant("costs its whole share when it is lost: nobody here can read what it had spent", async () => {
    let home = "";
    const played = await scene(["w1"], (engine) => later(engine, () => home));
    const { stage, fleet, workers } = played;
    home = workers[0]?.machine.home ?? "";
    const running = attempt(played, twoTurns(stage));
    await stage.met("work");
    for (const { cut } of workers) cut.isCut = true;
    fleet.pass(LEASE_MS + 1_000);
    expect(await running).toMatchObject({ outcome: { setback: { kind: "lost" } }, usage: { usd: 10 } });
    for (const { cut } of workers) cut.isCut = false;
    stage.letGo("work");
  });
});
