import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandsIn } from "./support/documented-commands.ts";
import { PACKAGE_LINES } from "./support/package-lines.ts";
import { missingPty } from "./support/pty.ts";
import { heldReason, type Ran } from "./support/sandbox.ts";
import { isCiEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const DOCUMENTS = ["README.md", "docs/install.md"];
const README = readFileSync("README.md", "utf8");
const COMMANDS = [...new Set(DOCUMENTS.flatMap((path) => commandsIn(readFileSync(path, "utf8"))))];

const RUN = 'loop run "Fix total() in src/cart.js until npm test passes" -c "tests pass=npm test"';
const START = `${RUN.replace("loop run", "loop start")} --session s1`;

/** The shop of the README, with a played `claude` that takes these turns, and an environment from nothing. */
class Shop {
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(...turns: readonly string[]) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-readme-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const made = spawnSync(process.execPath, ["scripts/shop/make.mjs", folder, ...turns], {
      encoding: "utf8",
    });
    ({ project: this.project, env: this.env } = JSON.parse(made.stdout) as {
      project: string;
      env: NodeJS.ProcessEnv;
    });
  }

  types(line: string, input = ""): Ran {
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
      cwd: this.project,
      env: this.env,
      input,
      encoding: "utf8",
    });
    return { code: status, out: stdout, err: stderr };
  }

  get stateHome(): string {
    return join(this.env["HOME"] ?? "", ".local/state/loopwright");
  }
}

interface Typed {
  readonly line: string;
  readonly code?: number;
  readonly out?: RegExp;
  /** What is true of the shop then, and was not before. */
  readonly leaves?: (shop: Shop) => boolean;
}

const SESSION: readonly Typed[] = [
  { line: "loop status", out: /^active fix-total-in-src-cart-js[^]*✗ tests pass {2}npm test: failed/ },
  { line: "loop check", code: 1, out: /^✗ tests pass {2}npm test: failed[^]*FAILED several/ },
];

const FROM_RUN_TO_REMOVAL: readonly Typed[] = [
  { line: RUN, out: /^\[LOOP\] Starting [^]*\n<loop-complete>\n/ },
  { line: "loop init", out: /"checks"/ },
  { line: "loop log", out: /loop\.opened[^]*loop\.completed/ },
  { line: 'loop recall "…"' },
  { line: "loop undo --list", out: /^before iteration 1 .*\nbefore iteration 2 /m },
  { line: "loop doctor", out: /^✓ \S/ },
  {
    line: "git for-each-ref --format='delete %(refname)' refs/loopwright | git update-ref --stdin",
    leaves: (shop) => shop.types("git for-each-ref refs/loopwright").out === "",
  },
  { line: "rm -r .loop", leaves: ({ project }) => !existsSync(join(project, ".loop")) },
  {
    line: 'rm -r "${XDG_STATE_HOME:-$HOME/.local/state}/loopwright"',
    leaves: ({ stateHome }) => !existsSync(stateHome),
  },
  { line: "git worktree prune", out: /^$/ },
];

/** What .ci/run types in a clone: the second is `npm install`, then `npm test`. */
const CLONE_LINES = ["./loop demo", "npm it"];

function untried(lines: readonly string[]): readonly string[] {
  const typed = [...SESSION, ...FROM_RUN_TO_REMOVAL].map(({ line }) => line);
  const known = new Set<string>([...PACKAGE_LINES, ...CLONE_LINES, ...typed]);
  return lines.filter((line) => !known.has(line));
}

function type(shop: Shop, { line, code = 0, out = /^/, leaves }: Typed): void {
  if (leaves?.(shop) === true) throw new Error(`true before: ${line}`);
  const ran = shop.types(line);
  if (ran.code !== code || !out.test(ran.out) || leaves?.(shop) === false)
    throw new Error(`${line} ended with ${ran.code}: ${ran.out}${ran.err}`);
}

describe("every command of the README and of the installation page", () => {
  test("is tried here, by .ci/run, or with the package in e2e/package.test.ts", () => {
    expect(untried(COMMANDS)).toEqual([]);
  });

  test("is seen, also before a comment, over several lines, and after a prompt", () => {
    const markdown =
      "```sh\nnpm it  # tests\n# a remark\nloop fly\n```\n```console\n$ loop run \\\n    x\nsaid\n```\n";
    expect(commandsIn(markdown)).toEqual(["npm it", "loop fly", "loop run x"]);
    expect(untried(commandsIn(markdown))).toEqual(["loop fly", "loop run x"]);
  });

  test("works, from a run to its removal", () => {
    const shop = new Shop("claim", "fix");
    expect(() => FROM_RUN_TO_REMOVAL.forEach((typed) => type(shop, typed))).not.toThrow();
  });

  variant("works, while a session has a loop", () => {
    const shop = new Shop();
    expect(shop.types(START)).toMatchObject({ code: 0 });
    expect(() => SESSION.forEach((typed) => type(shop, typed))).not.toThrow();
  });

  test("works in a clone, as .ci/run shows", () => {
    expect(readFileSync(".ci/run", "utf8")).toMatch(/^npm install .*\n[^]*^npm test [^]*^\.\/loop demo$/m);
  });
});

variant("the README's hold is what the hook answers", () => {
  const shop = new Shop();
  expect(shop.types(START)).toMatchObject({ code: 0 });
  expect(shop.types("CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s1 loop done")).toMatchObject({ code: 0 });
  const stop = JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd: shop.project });
  const hook = `'${process.execPath}' '${resolve("dist/hook.js")}' stop --host claude-code`;
  const [block = ""] = /^```text\n(\[ITERATION [^]*?)^```$/m.exec(README)?.slice(1) ?? [];
  const quoted = block.split("\n").filter((line) => line !== "…" && line !== "");
  const told = heldReason(shop.types(hook, stop)).split("\n");
  expect(quoted).toHaveLength(4);
  expect(told.filter((line) => quoted.includes(line))).toEqual(quoted);
});

const missing = missingPty();

test.runIf(isCiEffort && missing === null)(
  "the README's run and its picture are what loop run prints today: npm run readme renews them",
  () => {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/record-terminal.mjs", "--check"], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
);
