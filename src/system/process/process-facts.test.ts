import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isStillAlive, ownMark, startOfProcess } from "./process-facts.ts";
import { readProcessTable } from "./run-processes.ts";
import { PATIENT } from "../../../test/support/patience.ts";

function onPlatform(platform: NodeJS.Platform): void {
  const real = process.platform;
  Object.defineProperty(process, "platform", { value: platform });
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: real }));
}

describe.skipIf(process.platform === "win32")("the mark of a process", () => {
  it("is the mark of one that is alive", () => {
    expect(isStillAlive(ownMark())).toBe(true);
  });

  it("is not alive when another process has its id", () => {
    expect(isStillAlive({ ...ownMark(), startedAt: `${ownMark().startedAt}1` })).toBe(false);
  });

  it("is not alive after another start of the machine", () => {
    expect(isStillAlive({ ...ownMark(), boot: "another" })).toBe(false);
  });

  it("is not alive once the process has ended", async () => {
    const child = spawn("sleep", ["1000"]);
    const mark = { ...ownMark(), pid: child.pid ?? 0, startedAt: startOfProcess(child.pid ?? 0) ?? "" };
    expect(mark.startedAt).not.toBe("");
    expect(isStillAlive(mark)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isStillAlive(mark)).toBe(false);
  });
});

describe.runIf(process.platform === "linux")("on Linux", () => {
  it("is not alive when only a zombie is left", async () => {
    // The second sleep never asks what became of the child that the shell had started.
    const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [printed] = (await once(parent.stdout, "data")) as [Buffer];
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/cmdline`, "latin1"), PATIENT).toMatch(/^sleep/);
    const pid = Number(printed.toString());
    const mark = { ...ownMark(), pid, startedAt: startOfProcess(pid) ?? "" };
    expect(isStillAlive(mark)).toBe(true);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "latin1"), PATIENT).toContain(") Z ");
    expect(isStillAlive(mark)).toBe(false);
  });

  it("names the machine's start", () => {
    expect(ownMark().boot).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(["linux", "darwin"] as const)(
    "says the same as the table, in the manner of %s",
    async (platform) => {
      onPlatform(platform);
      const row = (await readProcessTable({ runId: "none" })).find(({ pid }) => pid === process.pid);
      expect(row?.startedAt).toMatch(platform === "linux" ? /^\d+$/ : /^\w{3} \w{3} \d+ [\d:]{8} \d{4}$/);
      expect(startOfProcess(process.pid)).toBe(row?.startedAt);
      expect(ownMark().boot === "").toBe(platform === "darwin");
      expect(isStillAlive(ownMark())).toBe(true);
    },
  );

  it("is the same in another part of the world, in the manner of darwin", () => {
    onPlatform("darwin");
    const here = ownMark();
    vi.stubEnv("TZ", "Asia/Tokyo");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(isStillAlive(here)).toBe(true);
  });

  it("asks ps about a process that is not there", () => {
    onPlatform("darwin");
    expect(startOfProcess(2 ** 22 + 1)).toBeNull();
  });
});
