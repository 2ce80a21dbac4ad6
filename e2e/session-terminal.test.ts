import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ClaudeTerminal } from "./claude-terminal.ts";
import { missingTmux } from "./terminal.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** What a person sees and answers in the real client's terminal. */
const PLUGIN = join(dirname(CLI), "plugin");
async function terminalIn(world: World): Promise<ClaudeTerminal> {
  const { project, home, server } = world;
  const args = ["--permission-mode=bypassPermissions"];
  const terminal = await ClaudeTerminal.start({ project, home, server, pluginDir: PLUGIN, args });
  onTestFinished(async () => terminal.end());
  return terminal;
}

test.skipIf(missingTmux() !== null)(
  "a paused loop is on the screen of the next session, and not before its model",
  async () => {
    const world = await World.create({}, { rest: { text: "Hello." } });
    world.loop("start", "Fix it", "-c", "fixed=test -f fixed.txt");
    world.loop("pause");
    const [loop] = world.loops();
    const terminal = await terminalIn(world);
    const line = `Paused in this project: ${loop?.id}: user. Resume it here: /loop:continue --loop=${loop?.id}.`;
    const flat = async (): Promise<string> =>
      (await terminal.until(/Paused in this project/)).replaceAll(/\s+/g, " ");
    expect(await flat()).toContain(line);
    await terminal.type("Good morning");
    await terminal.until(/Hello\./);
    expect(JSON.stringify(world.server.of("main").map(({ body }) => body))).not.toContain("Paused in this");
  },
);

const CART = "Round the total in the cart to cents";
const START = `loop start --shape tool -c 'rounded=grep -q rounded cart.js' -f - <<'END_OF_SPEC'\n${CART}\nEND_OF_SPEC`;

/** Asks with the client's own tool, and passes the answer on. */
function asksAboutLearnings({ newText, toolResults }: RecordedRequest): Turn {
  const heard = toolResults.map(({ text }) => text).join("\n");
  if (newText.includes(`loop - ${CART}`)) return { tools: [bash(START)] };
  const [, id = null] = /^- (\w{12}): constraint: /m.exec(heard) ?? [];
  if (id !== null) return { tools: [ASKED, bash(`loop recall --confirm ${id}`)] };
  if (heard.includes("Confirmed ")) return { tools: [bash("echo rounded > cart.js; loop done")] };
  return { text: "That is it." };
}

/** The question that is on the screen, and not the answer to it. */
const CHOICE = /Does this apply here\?\n\n❯ 1/;
const ASKED = {
  name: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Does this apply here?",
        header: "Learned",
        multiSelect: false,
        options: [
          { label: "It applies", description: "The cart rounds half a cent down." },
          { label: "It does not", description: "Never show it here again." },
        ],
      },
    ],
  },
};

test.skipIf(missingTmux() !== null)(
  "what was learned before is on the screen, and the user's word about it counts once they allowed it",
  async () => {
    const world = await World.create({ "cart.js": "old\n" }, { rest: asksAboutLearnings });
    world.loop("learn", "The cart rounds half a cent down.", "--kind", "constraint");
    const terminal = await terminalIn(world);
    await terminal.type(`loop - ${CART}`);
    await terminal.allow();
    expect(await terminal.until(CHOICE)).toMatch(/From earlier loops:\n *- \w{12}: constraint: The cart/);
    await terminal.answer(CHOICE);
    await terminal.until(/loop recall --confirm/);
    await terminal.allow();
    await terminal.until(/<\/loop-complete>/);
    const { learnings } = JSON.parse(world.loop("recall", CART, "--json")) as {
      learnings: readonly { readonly confidence: number }[];
    };
    expect(learnings[0]?.confidence).toBeGreaterThan(0.9);
  },
);
