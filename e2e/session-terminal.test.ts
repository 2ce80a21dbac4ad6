import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ClaudeTerminal, missingTmux } from "./claude-terminal.ts";
import { CLI, World } from "./world.ts";

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
