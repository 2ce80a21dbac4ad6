import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NO_USAGE } from "../../src/cost/usage.ts";
import type { Sighting, Turn, TurnReport } from "../../src/drivers/driver.ts";
import { geminiCli } from "../../src/drivers/gemini-cli/driver.ts";
import { cleanEnvironment } from "../claude.ts";
import type { Move } from "./agent.ts";
import { geminiCliAgent } from "./gemini-cli.ts";
import type { GenerateContentServer } from "./generate-content-server.ts";

interface Seen {
  readonly sightings: readonly Sighting[];
  readonly report: TurnReport;
}

interface Scene {
  readonly project: string;
  readonly model: GenerateContentServer;
  readonly turn: (turn?: Partial<Turn>) => Promise<Seen>;
}

/** The real client in a project of its own, started and read by the driver, with a home that is gone afterwards. */
async function play(moves: readonly Move[]): Promise<Scene> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-gemini-")));
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(project);
  mkdirSync(home);
  const model = await geminiCliAgent.startModel(moves);
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const env = { ...cleanEnvironment(home), ...geminiCliAgent.environment(home, model) };
  return {
    project,
    model,
    turn: (turn = {}) =>
      runTurn(project, env, {
        prompt: "Make it work.",
        conversation: null,
        freshConversation: randomUUID(),
        reportedUsd: null,
        model: null,
        permissionMode: "yolo",
        args: [],
        budgetUsd: null,
        folder,
        ...turn,
      }),
  };
}

async function runTurn(cwd: string, env: { readonly [name: string]: string }, turn: Turn): Promise<Seen> {
  const launch = geminiCli.command(turn);
  if (launch.command.kind !== "argv") throw new Error("The driver has to name words, not a line");
  const [program, ...args] = launch.command.argv;
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...launch.env, PATH: `${geminiCliAgent.bin}:${env["PATH"] ?? ""}` },
    // Leader of its own group: asked alone, the client's outer process does not end its inner one.
    detached: true,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.on("error", () => {}).end(launch.stdin);
  const code = await new Promise<number | null>((resolve, reject) => {
    onTestFinished(() => endGroup(child.pid));
    child.once("error", reject);
    child.once("close", resolve);
  });
  const reader = geminiCli.readStream(turn);
  const sightings = stdout.split("\n").flatMap((line) => reader.line(line));
  return {
    sightings,
    report: reader.end({ type: "exited", code: code ?? -1, stderrTail: stderr }, Date.now()),
  };
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // None is left.
  }
}

test("the client writes, runs, says so, and goes on with the conversation later", async () => {
  const { project, model, turn } = await play([
    { write: "hello.txt", text: "hi\n" },
    { run: "cat hello.txt > copy.txt" },
    { say: "Done.", usage: { input: 500, output: 50, cached: 200 } },
  ]);
  const first = await turn({ prompt: "Make it work, @hello.txt first." });
  expect(first.report).toMatchObject({ trouble: null, lastMessage: "Done.", toolUses: 2, denials: [] });
  expect(first.report.bill.usage).toEqual([
    { model: "gemini-2.5-flash", usage: { ...NO_USAGE, input: 2500, output: 250, cacheRead: 200 } },
  ]);
  expect(first.sightings).toContainEqual({ type: "edited", path: "hello.txt" });
  expect(readFileSync(join(project, "copy.txt"), "utf8")).toBe("hi\n");
  expect(model.heard[0]).toContain("Make it work, \\@hello.txt first.");

  model.play([{ say: "I went on." }]);
  const second = await turn({ prompt: "Go on.", conversation: first.report.conversation });
  expect(second.report).toMatchObject({
    trouble: null,
    lastMessage: "I went on.",
    conversation: first.report.conversation,
  });
  expect(second.report.bill.usage).toEqual([
    { model: "gemini-2.5-flash", usage: { ...NO_USAGE, ...geminiCliAgent.usage } },
  ]);
  // The model hears what is new since its own last words, so it was told of the first turn.
  expect(model.heard.at(-1)).toBe("Go on.");
  expect([model.played, model.helped, model.outside]).toEqual([4, [], []]);
});

test("a failure is believed at once, and says when the limit resets", async () => {
  const { model, turn } = await play([
    { fail: 429, message: "Quota exceeded.", headers: { "retry-after": "3600" } },
    { say: "Not asked for." },
  ]);
  const before = Date.now();
  const { trouble } = (await turn()).report;
  expect(trouble).toMatchObject({ kind: "usage-limit" });
  const resetsAt = trouble?.kind === "usage-limit" ? trouble.resetsAt : null;
  expect(resetsAt).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(resetsAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
  expect(model.played).toBe(1);
});

test("what is not allowed is denied, and the rule that is named allows it", async () => {
  const moves = [{ write: "hello.txt", text: "hi\n" }, { run: "touch there.txt" }, { say: "Tried." }];
  const { project, model, turn } = await play(moves);
  const denied = await turn({ permissionMode: "default" });
  expect(denied.report.denials).toEqual([
    { tool: "write_file", rule: "--permission-mode auto_edit" },
    { tool: "run_shell_command", rule: '--allowed-tools "run_shell_command(touch)"' },
  ]);
  expect(existsSync(join(project, "hello.txt"))).toBe(false);

  model.play(moves);
  const args = ["--allowed-tools", "run_shell_command(touch)"];
  const allowed = await turn({ permissionMode: "auto_edit", args });
  expect(allowed.report).toMatchObject({ denials: [], toolUses: 2 });
  expect(existsSync(join(project, "there.txt"))).toBe(true);
});

test("a conversation that the client does not know is lost", async () => {
  const { model, turn } = await play([]);
  const { report } = await turn({ conversation: randomUUID() });
  expect(report.trouble).toMatchObject({ kind: "lost-conversation" });
  expect(model.played).toBe(0);
});
