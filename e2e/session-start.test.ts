import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ClaudeTerminal } from "./claude-terminal.ts";
import { missingTmux } from "./terminal.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** What a person is asked before their session's loop is opened, in the real client's terminal. */
const PLUGIN = join(dirname(CLI), "plugin");
const SPEC = "Round the total in cart.js to cents";

async function sitDown(world: World): Promise<ClaudeTerminal> {
  const { project, home, server } = world;
  const args = ["--permission-mode=bypassPermissions"];
  const terminal = await ClaudeTerminal.start({ project, home, server, pluginDir: PLUGIN, args });
  onTestFinished(async () => terminal.end());
  return terminal;
}

/** The client's own question, as an agent asks it: each with its heading and what can be chosen. */
function asking(...questions: readonly (readonly [header: string, text: string, ...options: string[]])[]) {
  return {
    name: "AskUserQuestion",
    input: {
      questions: questions.map(([header, question, ...labels]) => ({
        question,
        header,
        multiSelect: false,
        options: labels.map((label) => ({ label, description: `Chooses ${label}` })),
      })),
    },
  };
}

const LIST = "Which task list shows the work?";
const ITERATIONS = "How many iterations at most?";
const BUDGET = "How many dollars at most?";
const SETTINGS = asking(
  ["Task list", LIST, "This session's", "A new one", "None"],
  ["Iterations", ITERATIONS, "10", "25", "50"],
  ["Budget", BUDGET, "25", "10", "50"],
);
const UNFINISHED = "What shall become of the unfinished loop?";
const OFFER = asking(["Unfinished", UNFINISHED, "Resume it", "Its status", "Start fresh", "Keep both"]);

/** Does what `loop score` tells it to do, and passes on what its user chose. */
function starts({ newText, toolResults }: RecordedRequest): Turn {
  const heard = toolResults.map(({ text }) => text).join("\n");
  const chosen = (question: string): string | null =>
    heard.split(`"${question}"="`)[1]?.split('"')[0] ?? null;
  const [, fresh = null] = /<command-args>(--start-fresh --loop=\S+)/.exec(newText) ?? [];
  if (fresh !== null) return { tools: [bash(opening(fresh))] };
  if (newText.includes("<command-name>/loop:start"))
    return { tools: [bash(`loop score -f - <<'END_OF_SPEC'\n${SPEC}\nEND_OF_SPEC`)] };
  if (heard.includes("Unfinished here: ")) return { tools: [OFFER] };
  if (heard.includes("one AskUserQuestion with three questions")) return { tools: [SETTINGS] };
  if (chosen(UNFINISHED) === "Start fresh") return { text: "Please type it." };
  if (chosen(LIST) !== null) {
    const list = chosen(LIST) === "A new one" ? "--task-list=new " : "";
    const limits = `--iterations=${chosen(ITERATIONS)} --budget=${chosen(BUDGET)}`;
    return { tools: [bash(opening(`${list}${limits}`))] };
  }
  if (heard.includes("[LOOP] Starting")) return { tools: [bash("echo cents > cart.js; loop done")] };
  return { text: "That is it." };
}

function opening(flags: string): string {
  return `loop start ${flags} --shape tool -c 'rounded=grep -q cents cart.js' -f - <<'END_OF_SPEC'\n${SPEC}\nEND_OF_SPEC`;
}

/** The question that is on the screen, and not an answer to it further up. */
const asked = (text: string): RegExp => new RegExp(`${text.replace("?", "\\?")}\\n\\n❯ 1`);

test.skipIf(missingTmux() !== null)(
  "a person is asked once for task list, iterations and budget, and what they choose is what the loop has",
  async () => {
    const world = await World.create({ "cart.js": "old\n" }, { rest: starts });
    const terminal = await sitDown(world);
    await terminal.type(`/loop:start ${SPEC}`);
    // Scoring is harmless: the first thing they are asked is this.
    expect(await terminal.until(asked(LIST))).toMatch(/☐ Task list\s+☐ Iterations\s+☐ Budget/);
    await terminal.answer(asked(LIST), "2");
    await terminal.answer(asked(ITERATIONS), "2");
    await terminal.answer(asked(BUDGET), "2");
    await terminal.answer(/Ready to submit your answers\?/);

    expect(await terminal.until(/Do you want to proceed\?/)).toMatch(
      /loop start --task-list=new --iterations=25 --budget=10/,
    );
    await terminal.allow();
    const screen = await terminal.until(/<\/loop-complete>/);
    expect(screen).toMatch(/\[LOOP\] Starting \| Shape: Tool \(\d\/10\)[^\n]*\| Budget: \$10/);
    expect(world.loops()).toMatchObject([{ phase: "completed", iterationLimit: 25, budgetUsd: 10 }]);
    const lists = join(world.home, ".claude", "tasks");
    const session = world.loops()[0]?.session ?? "";
    expect(existsSync(lists) ? readdirSync(lists).filter((each) => each !== session) : []).toHaveLength(1);
    // Nothing of it is asked twice.
    expect(world.server.of("main").filter(({ newText }) => newText.includes("<command-name>"))).toHaveLength(
      1,
    );
  },
);

test.skipIf(missingTmux() !== null)(
  "a person with an unfinished plain loop is asked what shall become of it, and types the fresh start",
  async () => {
    const world = await World.create({ "cart.js": "old\n" }, { rest: starts });
    world.loop("start", "Write notes.txt", "-c", "notes=test -f notes.txt");
    world.loop("pause");
    const [{ id } = { id: "" }] = world.loops();
    const terminal = await sitDown(world);
    await terminal.type(`/loop:start ${SPEC}`);
    expect(await terminal.until(asked(UNFINISHED))).toMatch(
      /1\. Resume it[^]*3\. Start fresh[^]*4\. Keep both/,
    );
    await terminal.answer(asked(UNFINISHED), "3");
    await terminal.until(/Please type it\./);
    expect(world.loops()).toMatchObject([{ id, phase: "paused" }]);
    await terminal.type(`/loop:start --start-fresh --loop=${id} ${SPEC}`);
    await terminal.allow();
    await terminal.until(/<\/loop-complete>/);
    expect(world.loops()).toMatchObject([{ phase: "completed" }, { id, phase: "cancelled" }]);
  },
);
