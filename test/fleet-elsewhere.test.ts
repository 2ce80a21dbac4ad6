import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { baselinesFolder } from "../src/verify/baseline/baseline-record.ts";
import { noteWritten } from "../src/verify/baseline/loop-baselines.ts";
import { readOrEmpty } from "../src/system/files/read-file.ts";
import { DEFAULT_LIMITS } from "../src/core/loop/limits.ts";
import { PATIENT } from "./support/patience.ts";
import type { Executor } from "../src/engine/plan/executor.ts";
import { DONE } from "./support/driven.ts";
import { pinKey } from "../src/engine/fleet/keys.ts";
import { ExecutorStage } from "./support/executor-stage.ts";
import { driverMachine, playDriver, playWorker } from "./support/fleet-stage.ts";
import { memoryEngine, MemoryFleet } from "./support/memory-fleet.ts";

const NOBODY: Executor = { runAttempt: async () => Promise.reject(new Error("nobody runs here")) };

test("an attempt that a worker makes can be read here; whatever would change it says where it is made, and changes nothing", async () => {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const worker = await playWorker(stage.place, memoryEngine(fleet), "w1");
  const driver = await playDriver(stage.place, memoryEngine(fleet), [worker]);
  const envelope = stage.envelope("T-001", [
    { do: [{ write: "T-001.txt", text: "done\n" }], say: DONE, usd: 0.25 },
  ]);
  const never = new AbortController().signal;
  const told = { tell: () => undefined, waitsUntil: () => null };
  const { outcome } = await driver.runAttempt(envelope, { ...told, signal: never, soon: never });
  worker.now.abort();
  await Promise.all([worker.done, driver.close()]);
  expect(outcome.type).toBe("finished");

  const log = stage.loop("log", envelope.loop, "--json").out;
  expect(log).toContain('"loop.opened"');
  const commands = [
    ["continue"],
    ["approve"],
    ["undo", "--yes"],
    ["pause"],
    ["cancel"],
    ["check"],
    ["tell", "faster"],
  ];
  for (const command of commands) {
    const ran = stage.loop(...command, "--loop", envelope.loop);
    expect({ command, status: ran.code, stderr: ran.err.trim().split("\n") }).toEqual({
      command,
      status: 1,
      stderr: [
        `loop: The attempt ${envelope.loop} is made on w1 in ${worker.root}, and only its journal is copied here; look at its files or approve them there, and tell, pause, continue or cancel its plan here with --loop ${stage.place.workflow}`,
      ],
    });
  }
  expect(stage.loop("log", envelope.loop, "--json").out).toBe(log);
  expect(stage.loop("status", envelope.loop).out).toContain("completed");
});

test("while it works, who makes it and what its agent does can be seen here, and what a person says reaches it", async () => {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const worker = await playWorker(stage.place, memoryEngine(fleet), "w1");
  const driver = await playDriver(stage.place, memoryEngine(fleet), [worker]);
  const turns = [
    { do: [{ say: "Looking around." }, { wait: 3_000 }], say: "Not yet.", usd: 0.25 },
    { do: [{ write: "T-001.txt", text: "done\n" }], say: DONE, usd: 0.25 },
  ];
  const envelope = stage.envelope("T-001", turns, { limits: DEFAULT_LIMITS });
  const note = join(stage.place.root, ".loop/loops", envelope.loop, "live.json");
  const placed: string[] = [];
  const words: string[] = [];
  const never = new AbortController().signal;
  const running = driver.runAttempt(envelope, {
    ...{ signal: never, soon: never, waitsUntil: () => null, words: () => words },
    tell: (news) => {
      const isSaid = news.type === "seen" && news.agentEvent.type === "said";
      if (isSaid && words.length === 0) words.push("the port is 8080");
    },
    placed: (name) => placed.push(name),
  });
  await expect.poll(() => readOrEmpty(note), PATIENT).toContain("Looking around.");
  const { outcome, journal } = await running;
  worker.now.abort();
  await Promise.all([worker.done, driver.close()]);
  expect(outcome.type).toBe("finished");
  expect([...new Set(placed)]).toEqual(["w1"]);
  const events = journal.flatMap((record) => record.events);
  expect(events.filter(({ type }) => type === "words.told")).toEqual([
    { type: "words.told", text: "the port is 8080", task: null },
  ]);
  expect(events.map(({ type }) => type)).toContain("words.heard");
  expect(existsSync(note)).toBe(false);
});

test("that no worker runs a plan's agent is said, until one comes that does", async () => {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const other = await playWorker(stage.place, memoryEngine(fleet), "w1", { agents: ["codex"] });
  const said: string[] = [];
  const driver = await playDriver(stage.place, memoryEngine(fleet), [other], {
    times: { leaseMs: 1_200, lookMs: 100, stopMs: 20_000 },
    tell: (sentence) => void said.push(sentence),
  });
  const envelope = stage.envelope("T-001", [{ do: [{ write: "T-001.txt", text: "done\n" }], say: DONE }]);
  const never = new AbortController().signal;
  const signals = { signal: never, soon: never, tell: () => undefined, waitsUntil: () => null };
  const running = driver.runAttempt(envelope, signals);
  await expect
    .poll(() => said, PATIENT)
    .toContain(
      "No worker runs rehearsal; start one where it is installed, or stop here and go on with another: loop continue --agent ID",
    );
  const worker = await playWorker(stage.place, memoryEngine(fleet), "w2");
  pinKey(driverMachine(stage.place).home, "workers", worker.signer.fingerprint, "w2");
  expect((await running).outcome.type).toBe("finished");
  for (const { now } of [other, worker]) now.abort();
  await Promise.all([other.done, worker.done, driver.close()]);
});

test("what setup wrote where the plan began is no work of a worker's attempt", async () => {
  const stage = new ExecutorStage(() => NOBODY);
  const fleet = new MemoryFleet();
  const worker = await playWorker(stage.place, memoryEngine(fleet), "w1");
  const which = {
    home: driverMachine(stage.place).home,
    root: stage.place.root,
    id: stage.place.workflow,
  };
  mkdirSync(baselinesFolder(which), { recursive: true });
  noteWritten(which, ["made-by-setup.txt"]);
  const setup = [{ kind: "shell", line: "echo made > made-by-setup.txt" } as const];
  const driver = await playDriver(stage.place, memoryEngine(fleet), [worker], { how: { setup, copies: [] } });
  const never = new AbortController().signal;
  const { outcome } = await driver.runAttempt(
    stage.envelope("T-001", [{ do: [{ write: "T-001.txt", text: "done\n" }], say: DONE }]),
    { signal: never, soon: never, tell: () => undefined, waitsUntil: () => null },
  );
  worker.now.abort();
  await Promise.all([worker.done, driver.close()]);
  const commit = outcome.type === "finished" ? (outcome.commit ?? "") : outcome.type;
  expect(stage.git("ls-tree", "--name-only", commit)).toBe("README.md\nT-001.txt\n");
});
