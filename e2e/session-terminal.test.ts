import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ClaudeTerminal, missingTmux } from "./claude-terminal.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** What a person sees and answers in the real client's terminal. */
const PLUGIN = join(dirname(CLI), "plugin");
const SPEC = "refactor all API routes to use validation middleware";
const OPENING = [
  // By its own words the spec is a colleague's with 7 points; the agent's criteria count toward the score, too.
  "loop start --shape colleague",
  "-s 'Refactor /api/users' -s 'Refactor /api/auth'",
  "-c '/api/users refactored=grep -q new users.js' -c '/api/auth refactored=grep -q new auth.js'",
  `-f - <<'END_OF_SPEC'\n${SPEC}\nEND_OF_SPEC`,
].join(" ");

/** One route at a time, each when the user says so. */
function refactors({ newText, toolResults }: RecordedRequest): Turn {
  if (newText.includes(`loop - ${SPEC}`)) return { tools: [bash(OPENING)] };
  const heard = toolResults.map(({ text }) => text).join("\n");
  if (heard.includes("[LOOP] Starting"))
    return { tools: [bash("echo new > users.js; loop check; loop step done 'Refactor /api/users'")] };
  if (newText.trim() === "y")
    return { tools: [bash("echo new > auth.js; loop step done 'Refactor /api/auth'; loop done")] };
  return { text: "That is it for now." };
}

async function terminalIn(world: World): Promise<ClaudeTerminal> {
  const { project, home, server } = world;
  const args = ["--permission-mode=bypassPermissions"];
  const terminal = await ClaudeTerminal.start({ project, home, server, pluginDir: PLUGIN, args });
  onTestFinished(async () => terminal.end());
  return terminal;
}

test.skipIf(missingTmux() !== null)(
  "a colleague shows its score, hands back with its question, and ends with its list",
  async () => {
    const world = await World.create({ "users.js": "old\n", "auth.js": "old\n" }, { rest: refactors });
    const terminal = await terminalIn(world);
    await terminal.type(`loop - ${SPEC}`);
    // A loop that the agent opens is its user's to allow.
    await terminal.until(/❯ 1\. Yes/);
    terminal.press("Enter");
    const asked = await terminal.until(/Continue\? \[Y\/n\]/);
    for (const line of [
      /says: \[LOOP\] Starting \| Shape: Colleague \(\d+\/10\) \| Steps: 2 \| Budget: \$25$/m,
      /^ *Spec scoring:$/m,
      /^ *- Outcome: 2 \(/m,
      /^ *Total: \d+\/10 → Colleague-shaped$/m,
      /^ *\[LOOP\] Iteration 1\/10 \| Cost: \S+\/\$25 \| Step: Refactor \/api\/users$/m,
      /\[LOOP\] ✓ Refactor \/api\/users complete \| Progress: 1\/2 \| Next: Refactor \/api\/auth$/m,
      /^ *EXIT_SIGNAL: false$/m,
      /^ *CRITERIA: \{"\/api\/users refactored": true, "\/api\/auth refactored": false\}$/m,
      /^ *NEXT: Refactor \/api\/auth$/m,
    ])
      expect(asked).toMatch(line);
    expect(world.loops()).toMatchObject([{ phase: "active", iteration: 1 }]);

    await terminal.type("y");
    const ended = await terminal.until(/<\/loop-complete>/);
    expect(ended).toMatch(
      /UserPromptSubmit says: \[LOOP\] Iteration 2\/10 \| .* \| Step: Refactor \/api\/auth$/m,
    );
    expect(ended).toMatch(/^ *EXIT_SIGNAL: true$/m);
    expect(ended).toMatch(/^ *- \/api\/users refactored: ✓/m);
    expect(world.loops()).toMatchObject([{ phase: "completed" }]);
    // Nothing of it was the model's to read or to write.
    expect(JSON.stringify(world.server.of("main").map(({ body }) => body))).not.toContain("Spec scoring");
  },
);

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
