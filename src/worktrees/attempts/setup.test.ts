import {
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
  readFileSync,
  chmodSync,
  existsSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import { Sandbox } from "../../../test/support/sandbox.ts";
import { runCommand } from "../../system/process/run-command.ts";
import { copyFiles } from "./copy-files.ts";
import { detectSetup, runSetup, type SetupOutcome } from "./setup.ts";
import { takeSlot } from "./resources.ts";

function wordsFor(files: readonly string[], programs: readonly string[]): unknown {
  const sandbox = new Sandbox(Object.fromEntries(files.map((file) => [file, ""])));
  const bin = join(sandbox.home, "bin");
  mkdirSync(bin);
  for (const program of programs) writeFileSync(join(bin, program), "#!/bin/sh\n", { mode: 0o755 });
  const { steps, missing } = detectSetup(sandbox.root, { PATH: `relative${delimiter}${bin}` });
  const lines = steps.map(({ command }) => (command.kind === "argv" ? command.argv.join(" ") : ""));
  return { steps: lines.map((line) => line.replace(`${bin}/`, "")), missing };
}

it.each([
  [["package-lock.json"], ["npm ci"]],
  [["pnpm-lock.yaml", "package-lock.json"], ["pnpm install --frozen-lockfile"]],
  [["yarn.lock"], ["yarn install --frozen-lockfile"]],
  [["yarn.lock", ".yarnrc.yml"], ["yarn install --immutable"]],
  [
    ["package-lock.json", "uv.lock"],
    ["npm ci", "uv sync --frozen"],
  ],
  [["poetry.lock"], ["poetry install --no-interaction"]],
  [["Gemfile.lock"], ["bundle install"]],
  [["Cargo.lock", "go.mod", "package.json", "requirements.txt"], []],
])("%j asks for %j", (files, steps) => {
  expect(wordsFor(files, ["npm", "pnpm", "yarn", "uv", "poetry", "bundle"])).toEqual({ steps, missing: [] });
});

it("asks for nothing whose program is not installed, and names it", () => {
  expect(wordsFor(["package-lock.json", "uv.lock"], ["npm"])).toEqual({ steps: ["npm ci"], missing: ["uv"] });
});

async function setUp(lines: readonly string[], timeoutMs = 30_000): Promise<SetupOutcome> {
  const { root } = new Sandbox();
  return runSetup({
    commands: lines.map((line) => ({ kind: "shell", line })),
    folder: root,
    env: { ...process.env, ...takeSlot(new Sandbox().home, 2).env },
    passEnv: [],
    timeoutMs,
    run: runCommand,
  });
}

it("setup runs commands in order, with the slot's variables", async () => {
  const lines = ["echo slot $LOOP_SLOT $LOOP_PORT_BASE >a", "grep -qx 'slot 2 20040' a"];
  expect(await setUp(lines)).toEqual({ type: "ready" });
});

it("setup stops at the first that fails, and tells why with the end of its output", async () => {
  expect(await setUp(["echo broken >&2; exit 3", "echo never"])).toEqual({
    type: "failed",
    command: "echo broken >&2; exit 3",
    why: "exited with 3",
    outputTail: "broken",
  });
});

it("setup that prints much tells how it began, where the cause is, and how it ended", async () => {
  const told = await setUp(["echo the cause; seq 100000; echo the end; exit 1"]);
  expect(told).toMatchObject({ outputTail: expect.stringMatching(/^the cause\n1\n[^]*\n…\n[^]*\nthe end$/) });
});

it("setup ends what takes too long", async () => {
  expect(await setUp(["sleep 600"], 200)).toMatchObject({
    type: "failed",
    why: expect.stringContaining("longer"),
  });
});

it("setup gives each slot twenty ports of its own, and nobody a slot that is taken", () => {
  const { home } = new Sandbox();
  const first = takeSlot(home, 1);
  expect(first.env).toEqual({ LOOP_SLOT: "1", LOOP_PORT_BASE: "20020" });
  expect(takeSlot(home, 1).env).toEqual({ LOOP_SLOT: "0", LOOP_PORT_BASE: "20000" });
  expect(takeSlot(home, 1).env).toMatchObject({ LOOP_SLOT: "2" });
  first.release();
  expect(takeSlot(home, 1).env).toMatchObject({ LOOP_SLOT: "1" });
  expect(takeSlot(home, 9_999).env).toMatchObject({ LOOP_SLOT: "3" });
});

it("copies ignored files that the list matches or the user names, with their permissions, and nothing else", async () => {
  const world = new GitWorld({
    ".gitignore": ".env*\nconfig/local.*\nlinked\n",
    ".worktreeinclude": ".env*\n!.env.prod\nnotes.md\n",
    "a.txt": "a\n",
  });
  world.write({
    ".env": "SECRET=1\n",
    ".env.prod": "NO=1\n",
    "sub/.env.test": "T=1\n",
    "config/local.json": "{}\n",
    "notes.md": "not ignored\n",
  });
  chmodSync(join(world.root, ".env"), 0o600);
  symlinkSync("/etc/hostname", join(world.root, "linked"));
  const worktree = world.plainWorktree("attempt");
  const copied = await copyFiles({
    root: world.root,
    worktree,
    named: ["config/local.json", "linked", "../outside", "missing", ".git/config"],
  });
  expect(copied).toEqual({
    copied: [".env", "sub/.env.test", "config/local.json"],
    left: [
      { path: "notes.md", why: "not ignored by git" },
      { path: "linked", why: "not a plain file" },
      { path: "../outside", why: "not a path inside the project" },
      { path: "missing", why: "not there" },
      { path: ".git/config", why: "not a path inside the project" },
    ],
  });
  expect(readFileSync(join(worktree, "sub/.env.test"), "utf8")).toBe("T=1\n");
  expect(statSync(join(worktree, ".env")).mode & 0o777).toBe(0o600);
  expect(world.gitIn(worktree, "status", "--porcelain")).toBe("");
});

it("setup writes through no link in the worktree", async () => {
  const world = new GitWorld({ ".gitignore": "config/local.json\n", "a.txt": "a\n" });
  world.write({ "config/local.json": "{}\n" });
  const worktree = world.plainWorktree("attempt");
  const outside = join(world.home, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(worktree, "config"));
  expect(await copyFiles({ root: world.root, worktree, named: ["config/local.json"] })).toEqual({
    copied: [],
    left: [{ path: "config/local.json", why: "something is in its way" }],
  });
  expect(existsSync(join(outside, "local.json"))).toBe(false);
});
