import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Driver, AgentEvent, Turn } from "../../src/agents/drivers/driver.ts";
import { rehearsalDriver } from "../../src/agents/drivers/rehearsal/driver.ts";
import { Sandbox } from "../support/sandbox.ts";
import { A_TURN } from "../support/turn.ts";
import { endGroup, runTurn, type TurnOptions } from "./run-turn.ts";

const PLAYER = resolve("dist/test-programs/rehearse.mjs");

/** A project, a script, and a folder in which the player keeps its place. */
class Theatre extends Sandbox {
  readonly folder = join(this.home, "loop");
  readonly place = join(this.folder, "rehearsal.json");
  readonly driver: Driver;

  constructor(turns: readonly object[], more: object = {}) {
    super({ "src/cart.js": "price\n" });
    mkdirSync(this.folder);
    const script = join(this.home, "script.json");
    writeFileSync(script, JSON.stringify({ turns, ...more }));
    this.driver = rehearsalDriver({ script, player: [process.execPath, PLAYER] });
  }

  async play(
    part: Partial<Turn> = {},
    onAgentEvent: TurnOptions["onAgentEvent"] = () => {},
  ): ReturnType<typeof runTurn> {
    return runTurn(
      this.driver,
      { ...A_TURN, folder: this.folder, ...part },
      { cwd: this.root, onAgentEvent },
    );
  }

  played(): unknown {
    return JSON.parse(readFileSync(this.place, "utf8"));
  }
}

const used = (tool: string, detail: string): AgentEvent => ({ type: "used", tool, detail });

test("a turn edits and runs for real, and is seen to", async () => {
  const theatre = new Theatre([
    {
      do: [
        { say: "I look." },
        { edit: "src/cart.js", from: "price", to: "price * quantity" },
        { write: "docs/new/notes.md", text: "notes\n" },
        { run: "cat src/cart.js > copy.txt" },
        { run: "echo 1 failed; exit 3" },
        { delete: "src" },
      ],
      say: "Mended.",
      usd: 0.3,
      tokens: { input: 1001, output: 7 },
      model: "m-1",
    },
  ]);
  const { agentEvents, report } = await theatre.play();
  expect(theatre.read("copy.txt")).toBe("price * quantity\n");
  expect(theatre.read("docs/new/notes.md")).toBe("notes\n");
  expect(existsSync(join(theatre.root, "src"))).toBe(false);
  expect(agentEvents.filter(({ type }) => type !== "conversation" && type !== "billed")).toEqual([
    { type: "said", text: "I look." },
    used("Edit", "src/cart.js"),
    { type: "edited", path: "src/cart.js" },
    used("Write", "docs/new/notes.md"),
    { type: "edited", path: "docs/new/notes.md" },
    used("Bash", "cat src/cart.js > copy.txt"),
    used("Bash", "echo 1 failed; exit 3"),
    { type: "failed", output: "1 failed\necho 1 failed; exit 3: exit code 3" },
    used("Delete", "src"),
    { type: "said", text: "Mended." },
  ]);
  expect(report).toMatchObject({ trouble: null, lastMessage: "Mended.", toolUses: 5 });
  expect(report.bill).toMatchObject({
    usd: 0.3,
    usage: [{ model: "m-1", usage: { input: 1001, output: 7 } }],
  });
});

test("turns follow each other, also after trouble, and then the script is over", async () => {
  const theatre = new Theatre([
    { say: "one" },
    { trouble: { kind: "transient" } },
    { do: [{ exit: 7 }] },
    { say: "four" },
  ]);
  const seen: unknown[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const { trouble, lastMessage } = (await theatre.play()).report;
    seen.push(trouble?.kind ?? lastMessage);
  }
  expect(seen).toEqual(["one", "transient", "unknown", "four", "The script is over.", "The script is over."]);
  expect(theatre.played()).toEqual({ played: 4 });
});

test("a script that repeats begins again", async () => {
  const theatre = new Theatre([{ say: "one" }, { say: "two" }], { repeat: true });
  const words: unknown[] = [];
  for (let turn = 0; turn < 3; turn += 1) words.push((await theatre.play()).report.lastMessage);
  expect(words).toEqual(["one", "two", "one"]);
});

test("a turn whose player is killed has cost half, and is played again", async () => {
  const theatre = new Theatre([
    {
      do: [
        { edit: "src/cart.js", from: "price", to: "price * quantity" },
        { run: "test -e ../rest || sleep 600" },
      ],
      say: "Mended.",
      usd: 0.5,
      tokens: { input: 11, output: 3 },
    },
  ]);
  const killed = await theatre.play({}, (agentEvent, child) => {
    if (agentEvent.type === "used" && agentEvent.tool === "Bash") endGroup(child);
  });
  expect(killed.report).toMatchObject({
    trouble: { kind: "interrupted", detail: "the player was ended by SIGKILL" },
    lastMessage: null,
    bill: { usd: 0.25, usage: [{ usage: { input: 5, output: 1 } }] },
  });
  expect(existsSync(theatre.place)).toBe(false);

  theatre.write({ "../rest": "" });
  const again = await theatre.play();
  expect(again.report).toMatchObject({ trouble: null, lastMessage: "Mended.", bill: { usd: 0.5 } });
  expect(theatre.read("src/cart.js")).toBe("price * quantity\n");
  expect(theatre.played()).toEqual({ played: 1 });
});

test("a turn that nobody listens to is not played to its end", async () => {
  const theatre = new Theatre([{ do: [{ write: "a.txt", text: "" }], say: "Nobody hears this." }]);
  const { command } = theatre.driver.command({ ...A_TURN, folder: theatre.folder });
  if (command.kind === "shell") throw new Error("not started without a shell");
  const child = spawn(command.argv[0], command.argv.slice(1), { cwd: theatre.root, env: theatre.env });
  child.stdout.destroy();
  child.stdin.end("the prompt");
  const code = await new Promise((done) => child.on("exit", done));
  expect(code).not.toBe(0);
  expect(existsSync(theatre.place)).toBe(false);
});

test("a turn that hangs ends only when it is killed", async () => {
  const theatre = new Theatre([{ do: [{ hang: true }] }, {}]);
  let survived = false;
  const { report } = await theatre.play({}, (agentEvent, child) => {
    if (agentEvent.type !== "used") return;
    const { pid } = child;
    const asked = spawn("/bin/sh", ["-c", `kill -INT ${pid}; kill -TERM ${pid}; sleep 0.3; kill -0 ${pid}`]);
    asked.on("exit", (code) => {
      survived = code === 0;
      child.kill("SIGKILL");
    });
  });
  expect(survived).toBe(true);
  expect(report.trouble).toEqual({ kind: "interrupted", detail: "the player was ended by SIGKILL" });
});

test("noise and floods change nothing", async () => {
  const theatre = new Theatre([
    { do: [{ print: "{garbage" }, { flood: 3_000_000 }, { print: '{"type":"said"}' }], say: "Still here." },
  ]);
  const { agentEvents, report } = await theatre.play();
  expect(report).toMatchObject({ trouble: null, lastMessage: "Still here." });
  expect(agentEvents).toEqual([
    { type: "conversation", id: report.conversation },
    { type: "said", text: "Still here." },
  ]);
});

test("a flood is exactly as long as asked for", async () => {
  const theatre = new Theatre([{ do: [{ print: "<" }, { flood: 200_000 }, { print: ">" }] }]);
  const { command } = theatre.driver.command({ ...A_TURN, folder: theatre.folder });
  if (command.kind === "shell") throw new Error("not started without a shell");
  const child = spawn(command.argv[0], command.argv.slice(1), { cwd: theatre.root, env: theatre.env });
  child.stdin.end();
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  await new Promise((done) => child.on("close", done));
  expect(text.slice(text.indexOf("<\n") + 2, text.indexOf(">\n"))).toMatch(/^~{199999}\n$/);
});

test("a conversation is gone on with; a new one gets a name", async () => {
  const theatre = new Theatre([{}], { repeat: true });
  expect((await theatre.play({ conversation: "talk-1" })).report.conversation).toBe("talk-1");
  const first = (await theatre.play()).report.conversation;
  const second = (await theatre.play()).report.conversation;
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).not.toBe(first);
});

test("a long prompt is read to its end", async () => {
  const theatre = new Theatre([{ say: "Read." }]);
  const { report, tookPrompt } = await theatre.play({ prompt: "word ".repeat(500_000) });
  expect(tookPrompt).toBe(true);
  expect(report).toMatchObject({ trouble: null, lastMessage: "Read." });
});

test("what leads out of the project is left alone, and the turn goes on", async () => {
  const theatre = new Theatre([
    {
      do: [
        { write: "out/a.txt", text: "" },
        { delete: "out/kept.txt" },
        { edit: "nothing.txt", from: "a", to: "b" },
      ],
      say: "I could not.",
    },
  ]);
  theatre.write({ "../outside/kept.txt": "kept" });
  symlinkSync("../outside", join(theatre.root, "out"));
  const { agentEvents, report } = await theatre.play();
  expect(existsSync(join(theatre.root, "out/a.txt"))).toBe(false);
  expect(theatre.read("../outside/kept.txt")).toBe("kept");
  expect(agentEvents.filter(({ type }) => type === "failed" || type === "edited")).toEqual([
    { type: "failed", output: "out/a.txt: out/a.txt leads out of the project" },
    { type: "failed", output: "out/kept.txt: out/kept.txt leads out of the project" },
    { type: "failed", output: expect.stringMatching(/^nothing\.txt: ENOENT/) },
  ]);
  expect(report).toMatchObject({ trouble: null, lastMessage: "I could not." });
});

test("a script or a place that cannot be read is something for a person, and no turn", async () => {
  const bad = new Theatre([{ do: [{ shout: "a" }] }]);
  expect((await bad.play()).report.trouble).toMatchObject({
    kind: "blocking",
    detail: expect.stringContaining("turns[0].do[0] should be an object with one of"),
  });
  expect(existsSync(bad.place)).toBe(false);

  const lost = new Theatre([{}]);
  writeFileSync(lost.place, '{"played":-1}');
  expect((await lost.play()).report.trouble).toEqual({
    kind: "blocking",
    detail: `${lost.place} does not say which turn is next; delete it to start with the first`,
  });
});

test("a place that cannot be kept is told of: the same turn would come again and again", async () => {
  const theatre = new Theatre([{ say: "one" }]);
  const { report } = await theatre.play({ folder: join(theatre.home, "nowhere") });
  expect(report.trouble).toMatchObject({ kind: "unknown", detail: expect.stringContaining("ENOENT") });
});

test("a player that is not there is something for a person", async () => {
  const { root } = new Sandbox();
  const driver = rehearsalDriver({ script: "s.json", player: [join(root, "nothing")] });
  const { report } = await runTurn(driver, A_TURN, { cwd: root });
  expect(report.trouble?.kind).toBe("blocking");
});
