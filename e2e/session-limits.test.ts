import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { found } from "../test/support/played-judges.ts";
import { PATIENCE_MS } from "../test/support/patience.ts";
import { ASKED, ClaudeTerminal } from "./claude-terminal.ts";
import { missingTmux } from "./terminal.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** What a spec forbids in words, which only reviewers can look at, before the eyes of a person. */
const PLUGIN = join(dirname(CLI), "plugin");
const LIMIT = "The public API must not change";
const PLAN = `Write notes.js. ${LIMIT}.

### T-001: Write the notes
verify: test -f notes.js
`;
const EXPORTED = "export const notes = [];";

const subagent = (type: string, prompt: string): NonNullable<Turn["tools"]>[number] => ({
  name: "Agent",
  input: { description: "One piece of it", prompt, subagent_type: `loop:${type}` },
});

/** The session's agent: it does what it last heard. */
function leads({ newText, toolResults }: RecordedRequest): Turn {
  const heard = [newText, ...toolResults.map(({ text }) => text)].join("\n");
  if (newText.includes("write the notes, please"))
    return { tools: [bash(`loop start --plan - --shape tool-review <<'END_OF_PLAN'\n${PLAN}END_OF_PLAN`)] };
  if (newText.includes("fix that")) return { tools: [bash("loop review resolve F-1 fix")] };
  if (heard.includes("Ask the user about each"))
    return { text: "Shall F-1 be fixed, accepted or dismissed?" };
  const reviewers = [
    ...new Set([...heard.matchAll(/^ {2}(loop review brief .*)$/gm)].map(([, command = ""]) => command)),
  ];
  if (reviewers.length > 0)
    return { tools: reviewers.map((command) => subagent("reviewer", `Run: ${command}`)) };
  const claimed = heard.split(/^(?=--- [A-Z]+-\d+, attempt)/m).find((part) => part.startsWith("--- "));
  if (claimed !== undefined) return { tools: [subagent("worker", claimed)] };
  if (heard.includes("Every task is merged.")) return { tools: [bash("loop review panel")] };
  const [, ready = null] = /(?:At work|Ready): [^\n]*`(loop task claim [^`]+)`/.exec(heard) ?? [];
  return ready === null ? { text: "That is all for now." } : { tools: [bash(ready)] };
}

/** A worker that exports more than before until it is told not to, and reviewers who each say what they see. */
function works({ body: { messages }, toolResults }: RecordedRequest): Turn {
  const asked = messages
    .flatMap(({ role, content }) => (role === "user" ? [JSON.stringify(content)] : []))
    .join();
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const [, brief = null] = /Run: (loop review brief[^"\\]*)/.exec(asked) ?? [];
  if (brief !== null) {
    if (turn === 0) return { tools: [bash(brief)] };
    if (turn > 1) return { text: "It is recorded." };
    const read = toolResults.map(({ text }) => text).join("\n");
    const [, record = ""] = /apostrophe in it: (loop .*) 'YOUR JSON OBJECT'/.exec(read) ?? [];
    const [, name = "M-?"] = new RegExp(`(M-\\d+): ${LIMIT}`).exec(read) ?? [];
    const isBroken = read.includes(`+${EXPORTED}`);
    const finding = found("notes.js", EXPORTED, { breaks: name, problem: "It adds to the public API." });
    const answer = { score: isBroken ? 4 : 9, findings: isBroken ? [finding] : [] };
    return { tools: [bash(`${record} '${JSON.stringify(answer).replaceAll("'", String.raw`'\''`)}'`)] };
  }
  const [, task = "", worktree = ""] = /--- ([A-Z]+-\d+), attempt \d+, in ([^\\"\s]+)/.exec(asked) ?? [];
  const file_path = join(worktree, "notes.js");
  const write = {
    name: "Write",
    input: { file_path, content: task === "T-001" ? `${EXPORTED}\n` : "const notes = [];\n" },
  };
  if (turn === 0)
    return { tools: existsSync(file_path) ? [{ name: "Read", input: { file_path } }, write] : [write] };
  return turn === 1 ? { tools: [bash(`loop task done ${task}`)] } : { text: "That is all." };
}

test.skipIf(missingTmux() !== null)(
  "a limit in words has a name in every reviewer's brief, and a blocker that names it is the person's to decide",
  async () => {
    const world = await World.create(
      {},
      { rest: leads, subagents: Array.from({ length: 120 }, () => works) },
    );
    const { project, home, server } = world;
    mkdirSync(join(home, "state", "loopwright", "worktrees"), { recursive: true });
    const args = ["--permission-mode=bypassPermissions"];
    const terminal = await ClaudeTerminal.start({ project, home, server, pluginDir: PLUGIN, args });
    onTestFinished(async () => terminal.end());
    let answered = 0;
    /** Says yes to whatever is asked, until this is on the screen. */
    const goesOnUntil = async (pattern: RegExp): Promise<string> => {
      const limit = Date.now() + 2 * PATIENCE_MS;
      for (;;) {
        const screen = terminal.screen();
        if (pattern.test(screen)) return screen;
        const questions = screen.match(/Continue\? \[Y\/n\]/g)?.length ?? 0;
        if (ASKED.test(screen)) await terminal.allow();
        else if (questions > answered) {
          answered = questions;
          await terminal.type("y");
        }
        if (Date.now() > limit) throw new Error(`never saw ${String(pattern)}:\n${screen}`);
        await sleep(300);
      }
    };
    await terminal.type("write the notes, please");
    const asked = await goesOnUntil(/Shall F-1 be fixed, accepted or dismissed\?/);
    expect(asked).toMatch(/BLOCKER/);
    await terminal.type("fix that");
    const ended = await goesOnUntil(/<\/loop-complete>/);

    expect(ended).toMatch(/R-1: ✓ Put right in notes\.js: It adds to the public API\./);
    expect(world.loop("review")).toContain(
      `looked at by a reviewer, who found nothing against: M-1 ${LIMIT}`,
    );
    expect(world.read("notes.js")).toBe("const notes = [];\n");
    const heard = server.of("subagent").flatMap(({ toolResults }) => toolResults.map(({ text }) => text));
    expect(heard.filter((text) => text.includes(`M-1: ${LIMIT}`)).length).toBeGreaterThan(3);
  },
  300_000,
);
