import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ClaudeTerminal } from "./claude-terminal.ts";
import { missingTmux } from "./terminal.ts";
import type { RecordedRequest, Turn } from "./model-server.ts";
import { CLI, World, bash } from "./world.ts";

/** The worked example of the skill that this one follows, line by line, beside what the real client's user sees. */
const PLUGIN = join(dirname(CLI), "plugin");
const SPEC = "refactor all API routes to use validation middleware";

/** Its words, without what differs between two runs: reasons in parentheses, costs. */
const BEGINS = `
[LOOP] Starting | Shape: Colleague (7/10) | Steps: 4 | Budget: $25
Spec scoring:
- Outcome: 2
- Scope: 2
- Constraints: 1
- Success: 1
- Done: 1
Total: 7/10 → Colleague-shaped
[LOOP] Iteration 1/10 | Cost: $N/$25 | Step: Refactor /api/users
[LOOP] ✓ /api/users complete | Progress: 1/4 | Next: /api/auth
---LOOP_STATUS---
EXIT_SIGNAL: false
STUCK_COUNT: 0
NEXT: Refactor /api/auth
---END_STATUS---
Continue? [Y/n]`;
const ENDS = `
---LOOP_STATUS---
EXIT_SIGNAL: true
STUCK_COUNT: 0
NEXT: none
---END_STATUS---
<loop-complete>
All success criteria satisfied:
- /api/users refactored: ✓
- /api/auth refactored: ✓
- /api/products refactored: ✓
- /api/orders refactored: ✓
- All tests pass: ✓
</loop-complete>`;

/** The document names its steps in two ways. */
function plain(text: string): string {
  return text.replaceAll(/\((?!\d+\/10\)).*?\)(?=$|\n)/gm, "").replaceAll(/Cost: \$[\d.]+/g, "Cost: $N");
}

/** Each line of the document, in its order, on the screen. */
function expectInOrder(screen: string, document: string): void {
  const shown = plain(screen)
    .split("\n")
    .map((line) => line.trim());
  let from = 0;
  for (const line of document.trim().split("\n")) {
    const wanted = line.trim();
    const isThis = (each: string): boolean =>
      each.endsWith(wanted) || each.replaceAll("Refactor ", "").endsWith(wanted.replaceAll("Refactor ", ""));
    const at = shown.findIndex((each, index) => index >= from && isThis(each));
    expect(at, `"${wanted}" after line ${from} of:\n${shown.join("\n")}`).toBeGreaterThanOrEqual(0);
    from = at + 1;
  }
}

const ROUTES = ["users", "auth", "products", "orders"];
const OPENING = [
  "loop start",
  ...ROUTES.map((route) => `-s 'Refactor /api/${route}'`),
  ...ROUTES.map((route) => `-c '/api/${route} refactored=grep -q validate ${route}.js'`),
  "-c 'All tests pass=sh test.sh'",
  `-f - <<'END_OF_SPEC'\n${SPEC}\nEND_OF_SPEC`,
].join(" ");

/** One route for each yes. */
function refactors({ newText, toolResults, body }: RecordedRequest): Turn {
  if (newText.includes(`loop - ${SPEC}`)) return { tools: [bash(OPENING)] };
  const isStarted = toolResults.some(({ text }) => text.includes("[LOOP] Starting"));
  if (!isStarted && newText.trim() !== "y") return { text: "That is it for now." };
  const done = JSON.stringify(body.messages).match(/echo validate > \w+\.js/g)?.length ?? 0;
  const route = ROUTES[done] ?? "";
  const last = done === ROUTES.length - 1 ? "; loop done" : "";
  return {
    tools: [bash(`echo validate > ${route}.js; loop check; loop step done 'Refactor /api/${route}'${last}`)],
  };
}

test.skipIf(missingTmux() !== null)(
  "the worked example, typed in the real client, has the document's lines, shape, question and end",
  async () => {
    const files = Object.fromEntries(ROUTES.map((route) => [`${route}.js`, "old\n"]));
    const world = await World.create(
      {
        ...files,
        "test.sh": `grep -L validate ${ROUTES.map((route) => `${route}.js`).join(" ")} | grep . && exit 1\nexit 0\n`,
      },
      { rest: refactors },
    );
    const { project, home, server } = world;
    const args = ["--permission-mode=bypassPermissions"];
    const terminal = await ClaudeTerminal.start({ project, home, server, pluginDir: PLUGIN, args });
    onTestFinished(async () => terminal.end());
    await terminal.type(`loop - ${SPEC}`);
    await terminal.allow();
    expectInOrder(await terminal.until(/Continue\? \[Y\/n\]/), BEGINS);
    expect(world.loops()).toMatchObject([{ phase: "active", shape: "colleague", iteration: 1 }]);

    for (const next of [2, 3, 4]) {
      await terminal.type("y");
      await terminal.until(new RegExp(`(?:Continue\\? \\[Y/n\\][^]*){${next}}|</loop-complete>`));
    }
    const ended = await terminal.until(/<\/loop-complete>/);
    expectInOrder(ended.slice(ended.lastIndexOf("✓ done")), ENDS);
    expect(world.loops()).toMatchObject([{ phase: "completed", confidence: "verified" }]);
    // All of it is shown by the hooks: the model neither reads nor repeats it.
    expect(JSON.stringify(server.of("main").map(({ body }) => body))).not.toContain("Spec scoring");
  },
);
