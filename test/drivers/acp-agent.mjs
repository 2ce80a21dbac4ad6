// A fake ACP agent for what real ones don't do on demand: it plays the scene that its first argument names.
import { createInterface } from "node:readline";

const [scene = "finish"] = process.argv.slice(2);
const tell = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (kind, more) =>
  tell({
    method: "session/update",
    params: { sessionId: "talk-9", update: { sessionUpdate: kind, ...more } },
  });
const say = (text, kind = "agent_message_chunk") => update(kind, { content: { type: "text", text } });
const answers = new Map();
let asked = 0;
let mode = "auto";
const ask = (method, params) =>
  new Promise((resolve) => {
    asked += 1;
    answers.set(asked, resolve);
    tell({ id: asked, method, params: { sessionId: "talk-9", ...params } });
  });
const permission = (call, options = ["allow_once", "allow_always", "reject_once"]) =>
  ask("session/request_permission", {
    toolCall: { toolCallId: "c1", title: "a call", ...call },
    options: options.map((kind) => ({ optionId: `the-${kind}`, kind, name: kind })),
  });

const SCENES = {
  async mode() {
    say(mode);
  },
  async finish() {
    say("Work");
    say("ed.");
  },
  async crash() {
    say("Half.");
    setTimeout(() => {
      process.stderr.write("Error: out of luck\n");
      process.exit(3);
    }, 50);
    await new Promise(() => {});
  },
  async hang() {
    say("Waiting.");
    await new Promise(() => {});
  },
  async noise() {
    process.stdout.write(
      `not json\n{"jsonrpc":"2.0"\n[1,2]\nnull\n{"id":{},"method":7}\n{"id":99,"result":1}\n\u0000\n`,
    );
    process.stdout.write(`${"x".repeat(40 * 1024 * 1024)}\n`);
    update("nobody_knows", { a: 1 });
    update(null, { content: { text: 5 } });
    say("Still here.");
  },
  async huge() {
    const text = "y".repeat(3 * 1024 * 1024);
    update("tool_call", {
      toolCallId: "c1",
      kind: "edit",
      status: "completed",
      content: [{ type: "diff", path: "a.txt", oldText: text, newText: text }],
    });
    say("Done.");
  },
  async reach() {
    const refused = await Promise.all([
      ask("fs/read_text_file", { path: "/etc/passwd" }),
      ask("fs/write_text_file", { path: "/tmp/x", content: "x" }),
      ask("terminal/create", { command: "id" }),
    ]);
    say(refused.map(({ error }) => error?.code).join(","));
  },
  async odd() {
    const { result } = await permission({ kind: "execute", rawInput: { command: "rm -rf /" } }, [
      "allow_always",
    ]);
    say(JSON.stringify(result));
  },
  async wish() {
    const call = JSON.parse(process.env.WISH);
    const { result } = await permission(call);
    say(result.outcome.optionId);
  },
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, ...answer } = JSON.parse(line);
  if (method === undefined) return answers.get(id)?.(answer);
  if (method === "initialize")
    return tell({
      id,
      result:
        scene === "old"
          ? { protocolVersion: 0 }
          : { protocolVersion: 1, agentCapabilities: { loadSession: true } },
    });
  if (method === "session/new") {
    if (scene === "login") return tell({ id, error: { code: -32000, message: "Authentication required" } });
    const modes = {
      currentModeId: "auto",
      availableModes: ["auto", "default", "yolo"].map((name) => ({ id: name, name })),
    };
    return tell({ id, result: { sessionId: "talk-9", modes } });
  }
  if (method === "session/load") {
    say("EXIT_SIGNAL: true of long ago");
    tell({ id, result: {} });
    // The rest of the old conversation comes late.
    setTimeout(() => say("also of long ago"), 100);
    return;
  }
  if (method === "session/set_mode") {
    mode = params.modeId;
    return tell({ id, result: {} });
  }
  if (method === "session/cancel") {
    process.stderr.write("cancelled\n");
    return;
  }
  if (method !== "session/prompt") return tell({ id, error: { code: -32601, message: "?" } });
  await SCENES[scene]();
  tell({ id, result: { stopReason: "end_turn" } });
});
