import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { shown } from "./claude.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** A session is killed in the middle of its workflow. The next ones are told of it, and their users resume it, look at it, or start fresh. */
const PLUGIN = join(dirname(CLI), "plugin");
const SPEC = "Make the cart better";

/** The agent of each session: it does what the user typed, and says what it then read. */
function acts({ newText, toolResults }: RecordedRequest): Turn {
  const heard = toolResults.map(({ text }) => text).join("\n");
  if (heard.includes("is unfinished (")) return { text: "Resume it, see its status, or start fresh?" };
  if (heard.includes("leaves this open (")) return { text: "Which of these do you mean?" };
  if (heard.includes("ask the user what the spec leaves open")) return { tools: [bash("loop answer")] };
  const [, typed = null] = /<typed>(--loop=[a-z0-9-]+)<\/typed>/.exec(newText) ?? [];
  if (typed !== null) return { tools: [bash(`loop continue ${typed}`)] };
  const [, flags = null] = /^ARGUMENTS: ((?:--\S+ )*)/m.exec(newText) ?? [];
  if (flags !== null)
    return { tools: [bash(`loop start --workflow ${flags}-f - <<'END_OF_SPEC'\n${SPEC}\nEND_OF_SPEC`)] };
  return { text: "That is all." };
}

test("a session that follows a killed one is told of its workflow, and resumes it, shows it, or starts fresh", async () => {
  const files = { "package.json": '{ "scripts": { "test": "true" } }\n', "src/cart.mjs": "export {};\n" };
  const world = await World.create(files, { rest: acts });
  const args = ["--include-hook-events"];
  const types = async (prompt: string, which: { sessionId: string } | { resume: string }) =>
    world.claude({ prompt, pluginDir: PLUGIN, args, ...which });

  await world.claude({
    prompt: `/loop:start ${SPEC}`,
    pluginDir: PLUGIN,
    args,
    sessionId: randomUUID(),
    killWhen: () => world.hasLoop(),
  });
  const [killed] = world.loops();
  const id = killed?.id ?? "";
  expect(killed).toMatchObject({ phase: "active", stage: "intent" });

  // Told of it, asked about it, and then resumed.
  const second = randomUUID();
  const asked = await types(`/loop:start ${SPEC}`, { sessionId: second });
  expect(shown(asked)).toContain(
    `[LOOP] Active in this project: ${id}. Resume it here: /loop:continue --loop=${id}. See it: /loop:status. Start fresh: /loop:start --start-fresh --loop=${id} SPEC`,
  );
  expect(asked.result?.result).toBe("Resume it, see its status, or start fresh?");
  expect(world.loops()).toHaveLength(1);
  const resumed = await types(`/loop:continue --loop=${id}`, { resume: second });
  expect(resumed.result?.result).toBe("Which of these do you mean?");
  expect(world.loops()).toMatchObject([{ id, phase: "active", stage: "intent", session: second }]);

  const third = randomUUID();
  await types("/loop:status", { sessionId: third });
  expect(world.server.of("main").at(-1)?.newText).toContain(id);
  expect(world.loops()).toMatchObject([{ id, session: second }]);

  const fresh = await types(`/loop:start --start-fresh --loop=${id} ${SPEC}`, { resume: third });
  expect(fresh.result?.result).toBe("Which of these do you mean?");
  expect(world.loops()).toMatchObject([
    { phase: "active", stage: "intent", session: third },
    { id, phase: "cancelled" },
  ]);
  expect(world.server.outside).toEqual([]);
}, 240_000);
