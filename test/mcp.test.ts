import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import type { StatusView } from "../src/views/status.ts";
import { inputOf, schemaOf } from "../src/programs/mcp/tool-input.ts";
import { TOOLS } from "../src/programs/mcp/tools.ts";
import { effort } from "./support/effort.ts";
import { PATIENT } from "./support/patience.ts";
import { leftIn, processesIn } from "./support/processes-in.ts";
import { Sandbox } from "./support/sandbox.ts";

const CLI = resolve("dist/cli.js");
const FILES = { "package.json": '{"name":"shop","scripts":{"test":"grep -q yes done.txt"}}' };

interface Message {
  readonly id?: number | null;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client of `loop mcp`, in a project with a test that fails. */
class Client extends Sandbox {
  readonly messages: Message[] = [];
  readonly #child;
  #calls = 0;

  constructor(args: readonly string[] = [], files: { readonly [path: string]: string } = FILES) {
    super(files);
    this.#child = spawn(process.execPath, [CLI, "mcp", ...args], {
      cwd: this.root,
      env: this.env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void this.#child.kill("SIGKILL"));
    createInterface({ input: this.#child.stdout }).on("line", (line) =>
      this.messages.push(JSON.parse(line) as Message),
    );
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  send(message: object): void {
    this.type(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Returns the id. */
  ask(method: string, params: object = {}): number {
    this.#calls += 1;
    this.send({ id: this.#calls, method, params });
    return this.#calls;
  }

  async answer(id: number): Promise<Message> {
    return vi.waitUntil(() => this.messages.find((message) => message.id === id), PATIENT);
  }

  async tool(name: string, input: object = {}, meta: object = {}): Promise<string> {
    const { result, error } = await this.answer(
      this.ask("tools/call", { name, arguments: input, _meta: meta }),
    );
    return result?.content?.[0]?.text ?? `error ${error?.code}: ${error?.message}`;
  }

  async end(): Promise<number | null> {
    this.#child.stdin.end();
    return new Promise((done) => this.#child.on("exit", done));
  }
}

/** The one loop, asked of the built program. */
function only(client: Client): StatusView {
  const { loops } = JSON.parse(client.spawnLoop("status", "--all", "--json").out) as { loops: StatusView[] };
  expect(loops).toHaveLength(1);
  return loops[0] as StatusView;
}

const SPEC = "Write done.txt until the tests pass";

test("an agent opens, checks and claims through the tools, as its own session", async () => {
  const client = new Client();
  client.ask("initialize", { protocolVersion: "2025-06-18", clientInfo: { name: "codex-mcp-client" } });
  const meta = { sessionId: "talk-7" };
  expect(await client.tool("start", { spec: SPEC, checks: ["tests pass"] }, meta)).toContain("tests pass");
  expect(await client.tool("check", {}, meta)).toContain("failed with exit code");
  expect(await client.tool("done", {}, meta)).toContain("Recorded");
  expect(only(client)).toMatchObject({ session: "talk-7", phase: "active" });
  // Another session's loop is not this one's.
  expect(await client.tool("done", {}, { sessionId: "talk-8" })).toContain("No loop is open");
  expect(await client.end()).toBe(0);
});

test("the session may be named when the server is set up", async () => {
  const client = new Client(["--session", "talk-9"]);
  await client.tool("start", { spec: SPEC, checks: ["tests pass"] });
  expect(only(client).session).toBe("talk-9");
});

test("no command of the caller's becomes a check", async () => {
  const client = new Client();
  const answer = await client.tool("start", { spec: SPEC, checks: ["touch pwned"] });
  expect(answer).toContain('Only the project\'s own checks can be named here: "tests pass"');
  expect(client.spawnLoop("status", "--all", "--json").out).toContain('"loops": []');
});

test("whoever calls counts as an agent, with whatever words it calls", async () => {
  const client = new Client();
  client.spawnLoop("start", "Look nice", "-c", "it looks nice");
  await client.tool("met", { name: "it looks nice", by: "observation", note: "--by=execution output" });
  const [criterion] = only(client).criteria;
  expect(criterion).toMatchObject({ status: "met" });
  expect(JSON.stringify(criterion)).toMatch(/agent/);
  expect(TOOLS.map(({ name }) => name)).toEqual([
    "status",
    "check",
    "done",
    "blocked",
    "step",
    "task",
    "met",
    "start",
  ]);
});

test("words that look like options stay words", async () => {
  const client = new Client();
  client.spawnLoop("start", "Look nice", "-c", "it looks nice");
  expect(await client.tool("step", { change: "add", name: "--loop=other" })).toContain("Steps: 0/1");
  expect(await client.tool("blocked", { reason: "--help" })).toContain("Paused");
  expect(only(client)).toMatchObject({ phase: "paused", reason: "blocked" });
});

test.each([
  ["tools/call", { name: "trust" }, -32602],
  ["tools/call", { name: { toString: 1 } }, -32602],
  ["tools/call", [], -32602],
  ["resources/list", {}, -32601],
  ["__proto__", {}, -32601],
])("%s with %j is answered with the error %i", async (method, params, code) => {
  const client = new Client();
  expect((await client.answer(client.ask(method, params))).error?.code).toBe(code);
});

test("garbage, a message without an end and a huge one leave it as it was", async () => {
  const client = new Client();
  client.type("{garbage\n[1]\nnull\n7\n\u0000\n");
  client.type(
    `{"id":5,"method":"tools/call","params":{"name":"blocked","arguments":{"reason":"${"x".repeat(3_000_000)}"}}}\n`,
  );
  expect(await client.tool("blocked", { reason: "x".repeat(30_000) })).toContain("longer than 20000");
  expect((await client.answer(client.ask("ping"))).result).toEqual({});
  expect(client.messages.filter(({ id }) => id === null)).toHaveLength(5);
});

/** Opens a loop whose check is quick at its opening, and then isn't. */
function waitingFor(client: Client): void {
  client.spawnLoop("start", "Wait", "-c", "slow=test -f go && sleep 300", "--check-timeout", "10m");
  client.write({ go: "" });
}

test("a cancelled call is ended with all it started, and not answered", async () => {
  const client = new Client();
  waitingFor(client);
  const id = client.ask("tools/call", { name: "check" });
  const sleeping = (): boolean => processesIn(client.home).some(({ line }) => line.includes("sleep 300"));
  await vi.waitUntil(sleeping, PATIENT);
  client.send({ method: "notifications/cancelled", params: { requestId: id } });
  await vi.waitUntil(() => !sleeping(), PATIENT);
  expect((await client.answer(client.ask("ping"))).result).toEqual({});
  expect(client.messages.find((message) => message.id === id)).toBeUndefined();
});

test("when the client is gone, so is everything", async () => {
  const client = new Client();
  waitingFor(client);
  client.ask("tools/call", { name: "check" });
  await vi.waitUntil(() => processesIn(client.home).some(({ line }) => line.includes("sleep 300")), PATIENT);
  await client.end();
  expect(await leftIn(client.home)).toEqual([]);
});

test("a state home that cannot be written is one sentence with what to do", () => {
  const sandbox = new Sandbox(FILES);
  // A folder of the kernel, where nobody makes one: the sandbox of an agent says the same of its whole system.
  const home = "/sys/kernel/loopwright";
  const env = { ...sandbox.env, XDG_STATE_HOME: "/sys/kernel" };
  const { code, err } = sandbox.spawnLoopWith({ env }, "start", "Look nice", "-c", "it looks nice");
  expect(code).toBe(1);
  expect(err).toContain(`loop: The state home ${home} cannot be written here (E`);
  expect(err).toContain("loop mcp");
});

test("any arguments are refused in a sentence, or become words without an option of ours", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TOOLS), fc.anything(), (tool, given) => {
      const input = inputOf(tool, given);
      const words = typeof input === "string" ? [] : tool.words(input);
      const isSentence = typeof input !== "string" || /^(?:The|There is no) .*\.$/s.test(input);
      expect(isSentence && words.every((word) => typeof word === "string")).toBe(true);
    }),
    { numRuns: effort(100, 2_000) },
  );
  for (const tool of TOOLS)
    expect(schemaOf(tool)).toMatchObject({ type: "object", additionalProperties: false });
});
