import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const { version: OWN } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const SESSION = "session-1";

/** A session that starts with this folder alone on its PATH. The engine comes from the built hook. */
function start(sandbox: Sandbox, bin: string): string {
  const { stdout } = spawnSync(process.execPath, [resolve("dist/hook.js"), "session-start"], {
    cwd: sandbox.root,
    env: { ...sandbox.env, PATH: `relative:${bin}` },
    input: JSON.stringify({ session_id: SESSION, cwd: sandbox.root, hook_event_name: "SessionStart" }),
    encoding: "utf8",
  });
  return stdout;
}

/** A `loop` that must not be run, linked into a PATH as npm does it. */
function install(sandbox: Sandbox, files: { readonly [path: string]: string }): string {
  const folder = join(sandbox.home, "lib", "loopwright");
  const program = '#!/bin/sh\ntouch "$(dirname "$0")/was-run"\n';
  for (const [path, text] of Object.entries({ "dist/cli.js": program, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  chmodSync(join(folder, "dist/cli.js"), 0o755);
  const bin = join(sandbox.home, "bin");
  mkdirSync(bin);
  symlinkSync(join(folder, "dist/cli.js"), join(bin, "loop"));
  return bin;
}

const packageOf = (version: unknown, name = "loopwright"): string => JSON.stringify({ name, version });

test.each<[string, { readonly [path: string]: string }]>([
  ["beside it", { "dist/package.json": packageOf("9.8.7"), "package.json": packageOf("1.1.1") }],
  [
    "one folder above, where the one beside it names no package",
    { "dist/package.json": '{ "type": "commonjs" }', "package.json": packageOf("9.8.7") },
  ],
])("another loop on the PATH is named with its version: %s", (_, files) => {
  const sandbox = new Sandbox();
  const bin = install(sandbox, files);
  expect(JSON.parse(start(sandbox, bin))).toEqual({
    systemMessage:
      `[LOOP] This plugin is loopwright ${OWN}, but the loop on your PATH (${join(bin, "loop")}) is 9.8.7; update the older one. ` +
      "The program: npm install -g loopwright. " +
      "The plugin: claude plugin uninstall loop@loopwright, then claude plugin install loop@loopwright.",
  });
});

test.each<[string, { readonly [path: string]: string }]>([
  ["is of the same version", { "dist/package.json": packageOf(OWN) }],
  ["belongs to no package", {}],
  ["is somebody else's", { "dist/package.json": packageOf("9.8.7", "event-loop") }],
  ["has a version that is none", { "dist/package.json": packageOf("9.8.7\n\u001b[2J") }],
  ["has a version that is no text", { "dist/package.json": packageOf(9) }],
  ["has a package that is not JSON", { "dist/package.json": "{" }],
  [
    "has a package that is too large to be one",
    { "dist/package.json": JSON.stringify({ name: "loopwright", version: "9.8.7", x: "x".repeat(70_000) }) },
  ],
])("nothing is said when the loop on the PATH %s", (_, files) => {
  const sandbox = new Sandbox();
  expect(start(sandbox, install(sandbox, files))).toBe("");
});

test("nothing is said when there is no loop on the PATH", () => {
  const sandbox = new Sandbox();
  expect(start(sandbox, join(sandbox.home, "nowhere"))).toBe("");
});

test("a build knows itself by its own package.json, also in the plugin", () => {
  const sandbox = new Sandbox();
  const bin = join(sandbox.home, "bin");
  for (const folder of ["dist", "dist/plugin/dist"]) {
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
      name: "loopwright",
      version: OWN,
    });
  }
  mkdirSync(bin);
  symlinkSync(resolve("dist/cli.js"), join(bin, "loop"));
  expect(start(sandbox, bin)).toBe("");
});

test("it stands before what else is told to the user, and beside what is told to the model", () => {
  const sandbox = new Sandbox({ "README.md": "A project\n" });
  const bin = install(sandbox, { "dist/package.json": packageOf("9.8.7") });
  const { id } = sandbox.start(null, "Write done.txt");
  const { systemMessage } = JSON.parse(start(sandbox, bin)) as { systemMessage: string };
  const [first, second] = systemMessage.split("\n");
  expect(first).toContain("is 9.8.7; update the older one.");
  expect(second).toContain(`[LOOP] Active in this project: ${id}.`);

  expect(sandbox.loop("continue", "--session", SESSION).code).toBe(0);
  const told = JSON.parse(start(sandbox, bin)) as {
    systemMessage: string;
    hookSpecificOutput: { additionalContext: string };
  };
  expect(told.systemMessage).toBe(first);
  expect(told.hookSpecificOutput.additionalContext).toContain("[LOOP RESUME]");
});

/** What the hooks of the session noted of themselves, as those of another version would have. */
function rewriteStart(sandbox: Sandbox, change: (start: { version?: string }) => void): void {
  const path = join(sandbox.home, "state", "loopwright", "sessions", `${SESSION}.start.json`);
  const noted = JSON.parse(readFileSync(path, "utf8")) as { version?: string };
  change(noted);
  writeFileSync(path, JSON.stringify(noted));
}

const WHAT_TO_DO = "they may not understand what it writes, and then hold nobody; update the older one.";

test.each<[string, (start: { version?: string }) => void, string]>([
  ["another one", (noted) => (noted.version = "9.8.7"), "are 9.8.7"],
  ["one that noted no version yet", (noted) => delete noted.version, "are of an earlier version"],
])("a loop that is opened or continued in a session says that its hooks are of %s", (_, change, words) => {
  const sandbox = new Sandbox({ "README.md": "A project\n" });
  start(sandbox, join(sandbox.home, "nowhere"));
  rewriteStart(sandbox, change);
  const said = `loop: This loop is loopwright ${OWN}, but the hooks of the session ${words}: ${WHAT_TO_DO}`;

  const opened = sandbox.agentLoop(
    SESSION,
    "start",
    "Write done.txt",
    "-c",
    "done=test -f done.txt",
    "--json",
  );
  expect(opened).toMatchObject({ code: 0 });
  expect(opened.err).toContain(said);
  expect(JSON.parse(opened.out)).toMatchObject({ phase: "active" });
  expect(sandbox.loop("pause").code).toBe(0);
  expect(sandbox.loop("continue", "--session", SESSION).err).toContain(said);
});

test("of its own version, or where no hook has heard of the session, a loop says nothing", () => {
  const sandbox = new Sandbox({ "README.md": "A project\n" });
  start(sandbox, join(sandbox.home, "nowhere"));
  const words = ["start", "Write done.txt", "-c", "done=test -f done.txt"];
  expect(sandbox.agentLoop(SESSION, ...words)).toMatchObject({ code: 0, err: "" });
  expect(sandbox.agentLoop("session-2", ...words)).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^loop: Also open here: \S+ Choose .*\n$/),
  });
});
