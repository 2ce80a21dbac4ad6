import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { endProcessesOfRun } from "../src/system/process/run-processes.ts";
import { keepGuardians, startGuardian } from "../src/system/process/guardian.ts";
import { effort } from "./support/effort.ts";
import { awakeSleepers, processesWith, readProc, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";
import { PATIENT } from "./support/patience.ts";

const PROGRAM = resolve("dist/test-programs/guardian-program.mjs");
const OWNER = resolve("dist/test-programs/guardian-owner.mjs");
const MOMENTS = effort(2, 20, 4);

/** An agent with four sleepers: a child, a session of its own, a daemon, and one whose parent ignores SIGTERM. */
function family(seconds: string): string {
  return `
    sleep ${seconds} &
    setsid sleep ${seconds} &
    (setsid sh -c '(nohup sleep ${seconds} >/dev/null 2>&1 &)' &)
    setsid sh -c 'trap "" TERM; while :; do sleep ${seconds}; done'`;
}

/** An agent that carries nobody's id any more. */
function forgetful(seconds: string): string {
  return `exec env -i /bin/sh -c '/bin/sleep ${seconds} & /bin/sleep ${seconds} & /bin/sleep ${seconds} & /bin/sleep ${seconds}; true'`;
}

function own(runId: string, line?: string, env: NodeJS.ProcessEnv = process.env) {
  const args = [OWNER, PROGRAM, runId, ...(line === undefined ? [] : [line])];
  return killedInTheEnd(spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] }));
}

function killedInTheEnd<Child extends ChildProcess>(child: Child): Child {
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** A process in a group of its own which carries no run's id, or this one. */
function sleeper(runId?: string): { readonly pid: number; readonly seconds: string } {
  const seconds = uniqueSeconds();
  const env = runId === undefined ? process.env : { ...process.env, LOOP_RUN_ID: runId };
  const child = killedInTheEnd(spawn("sleep", [seconds], { detached: true, stdio: "ignore", env }));
  return { pid: child.pid ?? 0, seconds };
}

function guardiansOf(runId: string): number[] {
  return processesWith(`${PROGRAM}\0${runId}\0`).filter((pid) => !readProc(pid, "cmdline").includes(OWNER));
}

async function guardianOf(runId: string): Promise<number> {
  await expect.poll(() => guardiansOf(runId), PATIENT).toHaveLength(1);
  return guardiansOf(runId)[0] ?? 0;
}

/** Also as a process that has ended, and of which its parent hasn't heard. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether it would hear of a SIGHUP, a SIGINT and a SIGTERM without being ended by them. */
function shrugsOffSignals(pid: number): boolean {
  const [, caught = "0"] = /SigCgt:\s*([0-9a-f]+)/.exec(readProc(pid, "status")) ?? [];
  return [1n, 2n, 15n].every((signal) => (BigInt(`0x${caught}`) >> (signal - 1n)) % 2n === 1n);
}

describe.runIf(process.platform === "linux")("when the owner of a run is killed", () => {
  it.each([
    ["with children far and near", family],
    ["without the run's id", forgetful],
  ])("its agent is ended, and the guardian with it: %s", async (_which, line) => {
    const seconds = uniqueSeconds();
    const runId = randomUUID();
    const owner = own(runId, line(seconds));
    // Without the id, the guardian knows the agent only from its owner.
    await once(owner.stderr, "data");
    await awakeSleepers(seconds, 4);
    expect(guardiansOf(runId)).toHaveLength(1);
    owner.kill("SIGKILL");
    await expect.poll(() => sleepers(seconds), PATIENT).toEqual([]);
    await expect.poll(() => guardiansOf(runId), PATIENT).toEqual([]);
    expect(processesWith(seconds)).toEqual([]);
  });

  it("at whatever moment", async () => {
    for (let round = 0; round < MOMENTS; round += 1) {
      const seconds = uniqueSeconds();
      const runId = randomUUID();
      const owner = own(runId, family(seconds));
      await sleep(Math.random() * 250);
      owner.kill("SIGKILL");
      await expect.poll(() => processesWith(runId), PATIENT).toEqual([]);
      await expect.poll(() => processesWith(seconds), PATIENT).toEqual([]);
    }
  });

  variant("those of another run go on", async () => {
    const [ours, theirs] = [uniqueSeconds(), uniqueSeconds()];
    const runId = randomUUID();
    const owner = own(runId, family(ours));
    const neighbour = own(`${runId}0`, family(theirs));
    const [, before] = await Promise.all([awakeSleepers(ours, 4), awakeSleepers(theirs, 4)]);
    owner.kill("SIGKILL");
    await expect.poll(() => processesWith(ours), PATIENT).toEqual([]);
    await expect.poll(() => guardiansOf(runId), PATIENT).toEqual([]);
    expect(sleepers(theirs)).toEqual(before);
    neighbour.kill("SIGKILL");
    await expect.poll(() => processesWith(theirs), PATIENT).toEqual([]);
  });

  variant("and the guardian before it, the run can still be ended by its id", async () => {
    const seconds = uniqueSeconds();
    const runId = randomUUID();
    const owner = own(runId, family(seconds));
    const before = await awakeSleepers(seconds, 4);
    process.kill(await guardianOf(runId), "SIGKILL");
    await expect.poll(() => guardiansOf(runId), PATIENT).toEqual([]);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    expect(sleepers(seconds)).toEqual(before);
    await endProcessesOfRun(runId);
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("a run that goes well", () => {
  it("leaves no guardian behind", async () => {
    const runId = randomUUID();
    const owner = own(runId, "echo done");
    expect(await text(owner.stdout)).toBe("exited");
    expect(guardiansOf(runId)).toEqual([]);
  });

  it("is not kept from its end by a guardian, which follows it", async () => {
    const runId = randomUUID();
    const [code] = (await once(own(runId), "exit")) as [number];
    expect(code).toBe(0);
    await expect.poll(() => guardiansOf(runId), PATIENT).toEqual([]);
  });

  it("hides its own and every outer run's id from its guardian", async () => {
    const runId = randomUUID();
    const seconds = uniqueSeconds();
    const owner = own(runId, `sleep ${seconds}`, { ...process.env, LOOP_RUN_ID: "outer" });
    const [agent = 0] = await awakeSleepers(seconds, 1);
    expect(readProc(agent, "environ")).toContain(`LOOP_RUN_ID=outer ${runId}\0`);
    const environ = readProc(await guardianOf(runId), "environ");
    expect(environ).toContain("PATH=");
    expect(environ).not.toContain("LOOP_RUN_ID");
    owner.kill("SIGKILL");
    await expect.poll(() => processesWith(seconds), PATIENT).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("a guardian", () => {
  it("is gone once it is dismissed, and has ended nothing", async () => {
    const runId = randomUUID();
    const marked = sleeper(runId);
    const leader = sleeper();
    const guardian = startGuardian({ program: [process.execPath, PROGRAM], runId });
    guardian.guard(leader.pid);
    await guardianOf(runId);
    await guardian.dismiss();
    expect(guardiansOf(runId)).toEqual([]);
    expect([...sleepers(marked.seconds), ...sleepers(leader.seconds)]).toEqual([marked.pid, leader.pid]);
  });

  it("may be killed without any harm to its owner", async () => {
    const runId = randomUUID();
    const guardian = startGuardian({ program: [process.execPath, PROGRAM], runId });
    process.kill(await guardianOf(runId), "SIGKILL");
    // Without letting this process hear of it.
    while (guardiansOf(runId).length > 0);
    guardian.guard(process.pid)();
    await expect.poll(() => guardiansOf(runId), PATIENT).toEqual([]);
    guardian.guard(process.pid)();
    await guardian.dismiss();
    expect(await guardian.dismiss()).toBeUndefined();
  });

  variant("may hang, and is gone all the same", async () => {
    const runId = randomUUID();
    const guardian = startGuardian({ program: [process.execPath, PROGRAM], runId });
    process.kill(await guardianOf(runId), "SIGSTOP");
    await guardian.dismiss();
    expect(guardiansOf(runId)).toEqual([]);
  });

  it("watches over one run after the other, and ends nothing of one that it was dismissed from", async () => {
    const guardians = keepGuardians();
    const program = [process.execPath, PROGRAM];
    const [first, second] = [randomUUID(), randomUUID()];
    const ofFirst = sleeper(first);
    const ofSecond = sleeper(second);
    const leader = sleeper();
    const one = guardians.start({ program, runId: first });
    one.guard(leader.pid);
    const pid = await guardianOf(first);
    await one.dismiss();
    const other = guardians.start({ program, runId: second });
    expect(await guardianOf(first)).toBe(pid);
    expect(guardiansOf(second)).toEqual([]);
    // As when its owner is killed.
    other.sweep();
    await expect.poll(() => sleepers(ofSecond.seconds), PATIENT).toEqual([]);
    await expect.poll(() => guardiansOf(first), PATIENT).toEqual([]);
    expect([...sleepers(ofFirst.seconds), ...sleepers(leader.seconds)]).toEqual([ofFirst.pid, leader.pid]);
    const third = guardians.start({ program, runId: first });
    await guardianOf(first);
    await third.dismiss();
    await guardians.end();
    await expect.poll(() => guardiansOf(first), PATIENT).toEqual([]);
  });

  it("that was killed while it waited is replaced", async () => {
    const guardians = keepGuardians();
    const program = [process.execPath, PROGRAM];
    const [first, second] = [randomUUID(), randomUUID()];
    const one = guardians.start({ program, runId: first });
    const pid = await guardianOf(first);
    await one.dismiss();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isThere(pid), PATIENT).toBe(false);
    const other = guardians.start({ program, runId: second });
    await guardianOf(second);
    await other.dismiss();
    await guardians.end();
    expect(guardiansOf(second)).toEqual([]);
  });

  it.each([
    { program: ["/loopwright/no-such-program"] },
    { program: [] },
    { program: [process.execPath, "/loopwright/no-such-program.js"] },
  ])("is done without where it cannot be started: $program", async ({ program }) => {
    const guardian = startGuardian({ program, runId: randomUUID() });
    guardian.guard(process.pid)();
    expect(await guardian.dismiss()).toBeUndefined();
  });
});

describe.runIf(process.platform === "linux")("the guardian's program", () => {
  function watch(runId: string) {
    return killedInTheEnd(
      spawn(process.execPath, [PROGRAM, runId], { stdio: ["pipe", "ignore", "inherit"], detached: true }),
    );
  }

  it("ends the groups that it was told of, also without the run's id", async () => {
    const seconds = uniqueSeconds();
    const child = killedInTheEnd(
      spawn("sh", ["-c", `sleep ${seconds} & sleep ${seconds}; true`], { detached: true, stdio: "ignore" }),
    );
    await awakeSleepers(seconds, 2);
    const program = watch(randomUUID());
    program.stdin.end(`+${child.pid}\n`);
    expect(await once(program, "exit")).toEqual([0, null]);
    expect(processesWith(seconds)).toEqual([]);
  });

  it("leaves alone what it was told has ended, and what it never heard of", async () => {
    const [ended, unheard, marked, runId] = [sleeper(), sleeper(), sleeper("other"), randomUUID()] as const;
    const program = watch(runId);
    program.stdin.end(`+${ended.pid}\nnonsense\n${"x".repeat(100_000)}\n-${ended.pid}\n+${ended.pid}`);
    expect(await once(program, "exit")).toEqual([0, null]);
    expect([ended, unheard, marked].flatMap(({ seconds }) => sleepers(seconds))).toHaveLength(3);
  });

  it("does its work after the signals that a terminal sends to everybody", async () => {
    const runId = randomUUID();
    const marked = sleeper(runId);
    const program = watch(runId);
    await expect.poll(() => shrugsOffSignals(program.pid ?? 0), PATIENT).toBe(true);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) program.kill(signal);
    program.stdin.end();
    expect(await once(program, "exit")).toEqual([0, null]);
    expect(sleepers(marked.seconds)).toEqual([]);
  });

  it("exits when it is dismissed, though its input stays open", async () => {
    const runId = randomUUID();
    const marked = sleeper(runId);
    const program = watch(runId);
    program.stdin.write("b");
    await sleep(50);
    program.stdin.write("ye\n");
    expect(await once(program, "exit")).toEqual([0, null]);
    expect(sleepers(marked.seconds)).toEqual([marked.pid]);
  });
});

describe.runIf(process.platform === "linux")("ending a run by its id", () => {
  it("spares the process that does it", async () => {
    const runId = randomUUID();
    const marked = sleeper(runId);
    const program = killedInTheEnd(
      spawn(process.execPath, [OWNER, "end", runId], {
        env: { ...process.env, LOOP_RUN_ID: runId },
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    expect(await text(program.stdout)).toBe("still here");
    expect(sleepers(marked.seconds)).toEqual([]);
  });
});
