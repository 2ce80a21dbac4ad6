import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { SessionId } from "../../core/loop/id.ts";
import { ownMark } from "../../system/process/process-facts.ts";
import { recordStart } from "../home/session-files.ts";
import { callerNow } from "./caller-now.ts";
import { createMachine, type Machine } from "./machine.ts";

const SESSION = "s1" as SessionId;
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-caller-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** A shell with these variables, below this process, which a client is said to be. */
function shellWith(env: NodeJS.ProcessEnv): Machine {
  const machine = createMachine({ XDG_STATE_HOME: folder, ...env }, folder);
  const above = [{ mark: ownMark(), env: { XDG_STATE_HOME: folder }, words: ["sh"] }];
  return { ...machine, processes: { ...machine.processes, processesAbove: () => above } };
}

function started(machine: Machine, host: string): void {
  recordStart(machine.home, SESSION, { startedAt: 0, transcriptPath: null, host, client: ownMark() });
}

describe("callerNow, in a shell without a session's id", () => {
  test("takes the session that the client above has started", () => {
    const machine = shellWith({ GEMINI_CLI: "1" });
    expect(callerNow(machine)).toEqual({ kind: "agent", host: "gemini-cli", session: null });
    started(machine, "gemini-cli");
    expect(callerNow(machine)).toEqual({ kind: "agent", host: "gemini-cli", session: SESSION });
  });

  test("believes the client above before the mark of another, which oh-my-pi leaves", () => {
    const machine = shellWith({ CLAUDECODE: "1" });
    started(machine, "oh-my-pi");
    expect(callerNow(machine)).toEqual({ kind: "agent", host: "oh-my-pi", session: SESSION });
  });

  test("takes another's mark before Claude Code's, which it may pretend to be", () => {
    const shell = shellWith({ CLAUDECODE: "1", OMPCODE: "1" });
    expect(callerNow(shell)).toMatchObject({ host: "oh-my-pi" });
  });
});
