import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { counsel } from "../test/support/played-judges.ts";
import { ClaudeTerminal } from "./claude-terminal.ts";
import { missingTmux } from "./terminal.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** A task of a session whose verification fails, before the eyes of a person. */
const PLUGIN = join(dirname(CLI), "plugin");
const PLAN = `Greet the shop

### T-001: Write the greeting
verify: sh check.sh hello greeting.txt
`;
const ADVICE = "Spell the greeting as the check reads it, in small letters.";

const subagent = (type: string, prompt: string): NonNullable<Turn["tools"]>[number] => ({
  name: "Agent",
  input: { description: "One piece of it", prompt, subagent_type: `loop:${type}` },
});

/** The session's agent: it does what it last heard. */
function leads({ newText, toolResults }: RecordedRequest): Turn {
  const heard = [newText, ...toolResults.map(({ text }) => text)].join("\n");
  if (newText.includes("greet the shop"))
    return {
      tools: [bash(`loop start --plan - --shape tool <<'END_OF_PLAN'\n${PLAN}END_OF_PLAN`)],
    };
  const [, stuck = null] = /(T-\d+) failed\. First give/.exec(heard) ?? [];
  if (stuck !== null) return { tools: [subagent("reviewer", `Run: loop task counsel ${stuck}`)] };
  const claimed = heard.split(/^(?=--- T-\d+, attempt)/m).find((part) => part.startsWith("--- "));
  if (claimed !== undefined) return { tools: [subagent("worker", claimed)] };
  const [, ready = null] = /(?:At work|Ready): [^\n]*`(loop task claim [^`]+)`/.exec(heard) ?? [];
  return ready === null ? { text: "That is all for now." } : { tools: [bash(ready)] };
}

/** A worker that spells it wrong until it is advised, and the reviewer that advises it. */
function works({ body: { messages } }: RecordedRequest): Turn {
  const asked = messages
    .flatMap(({ role, content }) => (role === "user" ? [JSON.stringify(content)] : []))
    .join();
  const turn = messages.filter(({ role }) => role === "assistant").length;
  if (asked.includes("Run: loop task counsel")) {
    if (turn === 0) return { tools: [bash("loop task counsel T-001")] };
    const [answer] = counsel(ADVICE);
    return turn === 1
      ? { tools: [bash(`loop task counsel T-001 '${answer?.say ?? ""}'`)] }
      : { text: "Advised." };
  }
  const [, worktree = ""] = /--- T-001, attempt \d+, in ([^\\"\s]+)/.exec(asked) ?? [];
  const word = asked.includes(ADVICE) ? "hello" : "HALLO";
  if (turn === 0) return { tools: [bash(`echo ${word} > ${join(worktree, "greeting.txt")}`)] };
  return turn === 1 ? { tools: [bash("loop task done T-001")] } : { text: "That is all." };
}

test.skipIf(missingTmux() !== null)(
  "a failed `loop task done` counts for its task, and the next try has the counsel of a subagent",
  async () => {
    const world = await World.create(
      { "check.sh": 'grep -q "$1" "$2"\n' },
      { rest: leads, subagents: Array.from({ length: 60 }, () => works) },
    );
    const { project, home, server } = world;
    mkdirSync(join(home, "state", "loopwright", "worktrees"), { recursive: true });
    const args = ["--permission-mode=bypassPermissions"];
    const terminal = await ClaudeTerminal.start({ project, home, server, pluginDir: PLUGIN, args });
    onTestFinished(async () => terminal.end());
    await terminal.type("greet the shop");
    await terminal.allow();

    const screen = await terminal.until(/Every task is merged\./);
    expect(screen).toMatch(/T-001 failed\. First give `loop task counsel T-001`/);
    const [loop] = world.loops();
    expect(loop).toMatchObject({
      phase: "active",
      tasks: [{ id: "T-001", status: "completed", attempts: 1 }],
    });
    const log = world.loop("log", "--loop", loop?.id ?? "", "--json");
    const events = log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as LoggedEvent]));
    const [failed, advised] = events.filter(
      ({ type }) => type === "attempt.fell-short" || type === "counsel.given",
    );
    expect(failed).toMatchObject({
      type: "attempt.fell-short",
      detail: expect.stringContaining("Its check failed when it was said to be done.") as string,
    });
    expect(advised).toMatchObject({ task: "T-001", after: 1, agent: "claude-code", approach: ADVICE });
    // The worker said that it was done, and it wasn't; the same attempt goes on with the advice.
    expect(heardBy(server.of("subagent"))).toContain("loop task counsel T-001");
  },
);

interface LoggedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function heardBy(requests: readonly RecordedRequest[]): string {
  return requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => text)).join("\n");
}
