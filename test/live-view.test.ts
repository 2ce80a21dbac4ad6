import { resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Emulator } from "./support/emulator.ts";
import type { OnTerminal } from "./support/pty.ts";
import { missingPty, onTerminal } from "./support/pty.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";
import { oneOf } from "./support/effort.ts";
import { PATIENT } from "./support/patience.ts";

const CLI = resolve("dist/cli.js");
const DONE = "\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
/** A turn that goes on until the test lets it. */
const WAITS_FOR_GO = { run: "until [ -e go ]; do sleep 0.05; done" };

const SCRIPT = {
  turns: [
    { do: [{ say: "I look around, 日本語 🎉." }, WAITS_FOR_GO], say: `It works.${DONE}`, usd: 0.5 },
    // Long enough to be drawn.
    {
      do: [{ write: "fixed", text: "" }, { say: "Now I mend it." }, { wait: 1_000 }],
      say: `Mended.${DONE}`,
      usd: 0.25,
    },
  ],
};

const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";

function project(): Sandbox {
  const sandbox = new Sandbox({ "script.json": JSON.stringify(SCRIPT), ".gitignore": "go\n" });
  sandbox.commitAll();
  return sandbox;
}

const RUN = ["run", "Make the file fixed", "-c", "is fixed=test -e fixed", "--script", "script.json"];

function run(sandbox: Sandbox, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): OnTerminal {
  return onTerminal([process.execPath, CLI, ...RUN, "--shape", "tool", ...flags], {
    cwd: sandbox.root,
    env: { ...sandbox.env, NO_COLOR: "1", ...env },
  });
}

function screenOf(text: string): Emulator {
  // The bell moves no cursor.
  const screen = new Emulator(80);
  screen.write(text.replaceAll("\u0007", ""));
  return screen;
}

/** The process that drives the loop, as status tells it. */
function driverOf(sandbox: Sandbox): number {
  return Number(/driven now by a rehearsal, process (\d+)/.exec(sandbox.loop("status").out)?.[1]);
}

function cursorIsBack(text: string): boolean {
  return text.includes(HIDE) && text.lastIndexOf(SHOW) > text.lastIndexOf(HIDE);
}

const missing = missingPty();

describe.skipIf(missing !== null)(`a run before a terminal${missing === null ? "" : ` (${missing})`}`, () => {
  test("is drawn in place below the lines that stay, and leaves only those", async () => {
    const sandbox = project();
    const terminal = run(sandbox);
    await terminal.until(/now {3}Bash until/);
    const during = screenOf(terminal.text());
    expect(during.text.split("\n").slice(0, 4).join("\n")).toMatch(
      /^loop: Checks before any work:\n {2}✗ is fixed .*\n\[LOOP\] Starting.*\n\[LOOP\] Iteration 1\/10/,
    );
    expect(during.text.match(/● active/g)).toHaveLength(1);
    expect(during.text).toContain("✗ is fixed  failed with exit code 1");
    expect(during.text).toContain("said  I look around, 日本語 🎉.");
    expect(during.cursorShown).toBe(false);

    sandbox.write({ go: "" });
    expect(await terminal.ended).toBe(0);
    const { text } = screenOf(terminal.text());
    expect(text).not.toContain("● active");
    expect(text).toMatch(
      /^loop: .*\n.*\n\[LOOP\] Starting.*\n\[LOOP\] Iteration 1\/10.*\n[^]*<\/loop-complete>\n\[LOOP\] Files: fixed\n\[LOOP\] 2 iterations, \d+ s, \$0\.75\/\$25 \| Undo: loop undo 1$/,
    );
    expect(cursorIsBack(terminal.text())).toBe(true);
  });

  variant("gives the cursor back when it is interrupted, and says what that does", async () => {
    const sandbox = project();
    const terminal = run(sandbox);
    await terminal.until(/now {3}Bash until/);
    terminal.type("\u0003");
    await terminal.until(/Finishing this iteration/);
    // What is printed above the region, and the region below it, may come in two pieces.
    await vi.waitFor(
      () => expect(screenOf(terminal.text()).text.match(/● active/g)).toHaveLength(1),
      PATIENT,
    );
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(130);
    expect(screenOf(terminal.text()).text).toMatch(
      /Resume: loop continue\n\[LOOP\] 1 iteration, .* \| Undo: loop undo 1$/,
    );
    expect(cursorIsBack(terminal.text())).toBe(true);
  });

  variant.each(["SIGTERM", "SIGHUP", "SIGQUIT"])("gives the cursor back when %s ends it", async (signal) => {
    const sandbox = project();
    const terminal = run(sandbox);
    await terminal.until(/now {3}Bash until/);
    process.kill(driverOf(sandbox), signal);
    await terminal.ended;
    expect(cursorIsBack(terminal.text())).toBe(true);
  });

  variant("makes room for a question, and comes back after the answer", async () => {
    const sandbox = project();
    sandbox.write({ go: "" });
    const terminal = run(sandbox, ["--shape", "colleague"]);
    await terminal.until(/Continue\? \[Y\/n\/a\] /);
    const asking = screenOf(terminal.text());
    expect(asking.text).not.toContain("● active");
    expect(asking.cursorShown).toBe(true);
    terminal.type("y\n");
    expect(await terminal.ended).toBe(0);
    // What the second turn has cost by then depends on when it is drawn.
    expect(terminal.text().split("Continue?")[1]).toMatch(/● active · iteration 2\/10 · \$[\d.]+\/\$25/);
    expect(screenOf(terminal.text()).text).toMatch(/<\/loop-complete>\n.*\n\[LOOP\] 2 iterations, .*$/);
  });

  variant.each(
    oneOf([
      ["to a terminal that cannot be drawn on", [], { TERM: "dumb" }],
      ["in continuous integration", [], { CI: "true" }],
      ["as JSON", ["--json"], {}],
    ]),
  )("draws nothing %s", async (_where, flags, env) => {
    const sandbox = project();
    sandbox.write({ go: "" });
    const terminal = run(sandbox, flags, env);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain("\u001b");
  });
});
