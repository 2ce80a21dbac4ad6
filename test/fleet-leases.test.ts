import { describe, expect, test } from "vitest";
import { Contact, mayEndLeases } from "../src/engine/fleet/fleet-engine.ts";
import { DONE } from "./support/driven.ts";
import { attempt, LEASE_MS, scene, twoTurns } from "./support/fleet-scene.ts";
import { until } from "./support/patience.ts";
import { variant } from "./support/variant.ts";

describe("a worker that is cut off", () => {
  test("loses its lease: the attempt is lost at most at one more turn, and its late result is refused", async () => {
    const played = await scene(["w1"]);
    const { stage, fleet, workers } = played;
    const [worker] = workers;
    const running = attempt(played, twoTurns(stage));
    await stage.met("work");
    await until(() => [...fleet.news.values()].flat().join("").includes("0.5"), "the first turn to be told");
    if (worker !== undefined) worker.cut.isCut = true;
    fleet.pass(LEASE_MS + 1_000);
    const result = await running;
    expect(result).toMatchObject({
      outcome: {
        type: "set-back",
        setback: { kind: "lost", detail: "Its worker w1 stopped answering.", carry: null },
      },
      // What it reported, and once more its dearest turn.
      usage: { usd: 1, priced: false },
    });
    if (worker !== undefined) worker.cut.isCut = false;
    await until(() => worker?.told.some(({ type }) => type === "lost") === true, "it to hear of it");
    stage.letGo("work");
    await until(() => worker?.told.every(({ type }) => type !== "ended") === true, "no result to count");
    expect([...fleet.jobs.values()].map(({ state }) => state.type)).toEqual(["lost"]);
    expect(await attempt(played, twoTurns(stage))).toMatchObject({ outcome: result.outcome });
  });

  variant("before any turn has ended costs its whole share", async () => {
    const played = await scene(["w1"]);
    const { stage, fleet, workers } = played;
    const limits = { ...stage.envelope("T-001", [{}]).limits, budgetUsd: 7 };
    const work = [{ run: stage.meet("work") }];
    const running = attempt(played, stage.envelope("T-001", [{ do: work, say: DONE }], { limits }));
    await stage.met("work");
    for (const { cut } of workers) cut.isCut = true;
    fleet.pass(LEASE_MS + 1_000);
    expect((await running).usage).toMatchObject({ usd: 7, priced: false });
    for (const { cut } of workers) cut.isCut = false;
    stage.letGo("work");
  });
});

test("after an outage of the database longer than a lease, everybody goes on", async () => {
  const played = await scene(["w1"]);
  const { stage, fleet } = played;
  const running = attempt(played, twoTurns(stage));
  await stage.met("work");
  fleet.goDown();
  fleet.pass(3 * LEASE_MS);
  await new Promise((resolve) => setTimeout(resolve, 300));
  fleet.comeUp();
  stage.letGo("work");
  expect(await running).toMatchObject({ outcome: { type: "finished" }, usage: { usd: 0.75 } });
});

test("leases end only once the server and the connection have been up for a whole lease", () => {
  const leaseMs = 60_000;
  const may = (serverUpMs: number, contactMs: number): boolean =>
    mayEndLeases({ serverUpMs, contactMs, leaseMs });
  expect([may(60_000, 60_000), may(59_999, 60_000), may(60_000, 59_999)]).toEqual([true, false, false]);
});

test("who asks has had an answer for a whole lease only if none was missing for half of one, by the rows' clock", () => {
  const contact = new Contact(60_000);
  const at = (times: readonly number[]): readonly number[] => times.map((now) => contact.made(now));
  expect(at([1_000, 20_000, 50_000])).toEqual([0, 19_000, 49_000]);
  // A frozen process, a cut network, a clock that was set back.
  expect(at([80_001, 90_000])).toEqual([0, 9_999]);
  expect(at([89_000, 100_000])).toEqual([0, 11_000]);
});

test("a worker that is being shut down hands its attempt back, and carries it on when it is there again", async () => {
  const played = await scene(["w1"]);
  const { stage, workers, startAgain } = played;
  const limits = { ...stage.envelope("T-001", [{}]).limits, sameError: 5 };
  const envelope = stage.envelope(
    "T-001",
    [
      { do: [{ run: stage.meet("work") }], say: "Half of it.", usd: 0.25 },
      { do: [{ write: "T-001.txt", text: "done\n" }], say: DONE, usd: 0.25 },
    ],
    { limits },
  );
  const running = attempt(played, envelope);
  await stage.met("work");
  const [first] = workers;
  first?.soon.abort();
  stage.letGo("work");
  await first?.done;
  const again = await startAgain("w1");
  expect(await running).toMatchObject({ outcome: { type: "finished" }, usage: { usd: 0.5 } });
  expect(again.told).toContainEqual(expect.objectContaining({ type: "took" }));
});

variant("one usage limit is one account's on all workers, and nobody else's", async () => {
  const played = await scene(["w1", "w2"]);
  const { stage, fleet } = played;
  const until = Date.now() + 1_500;
  fleet.accounts.set("rehearsal@default", until);
  fleet.accounts.set("codex@default", until + 1_000_000);
  const envelope = stage.envelope("T-001", [
    { do: [{ run: stage.noting("ran") }, { write: "T-001.txt", text: "done\n" }], say: DONE },
  ]);
  expect(await attempt(played, envelope)).toMatchObject({ outcome: { type: "finished" } });
  expect(stage.noted("ran")[0]).toBeGreaterThanOrEqual(until);
});
