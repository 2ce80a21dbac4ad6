import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI } from "./support/driven.ts";
import { missingPty, onTerminal, type OnTerminal } from "./support/pty.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";
import { someOf } from "./support/effort.ts";

const PROJECT = {
  "package.json": JSON.stringify({ scripts: { test: "node --test", lint: "true", build: "nosuchbundler" } }),
};
const TEXT = `{
  "checks": {
    "tests pass": "npm run test",
    "lint clean": "npm run lint"
  }
}
`;

function project(): Sandbox {
  const sandbox = new Sandbox(PROJECT);
  sandbox.commitAll();
  return sandbox;
}

function isWritten({ root }: Sandbox): boolean {
  return existsSync(join(root, "loop.config.json"));
}

/** Names of what a loop that is opened now is held to. */
function heldTo(sandbox: Sandbox): readonly string[] {
  const { id, criteria } = sandbox.start(null, "Rename total to sum in src/cart.js");
  sandbox.loop("cancel", "--loop", id);
  return criteria.map(({ name }) => name);
}

describe("loop init without a terminal", () => {
  test("shows the file and what it rests on, and writes nothing", () => {
    const sandbox = project();
    const ran = sandbox.loop("init");

    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toBe(`${join(sandbox.root, "loop.config.json")}
${TEXT}Based on:
  tests pass  package.json script test
  lint clean  package.json script lint
Not in it:
  Run npm install first: package.json script build needs nosuchbundler.
Nothing was written, because there is no terminal to ask in; to write it: loop init --yes
`);
    expect(isWritten(sandbox)).toBe(false);
  });

  test("with --yes writes what it showed, from any folder of the project, and it is used", () => {
    const sandbox = project();
    sandbox.write({ "src/deep/a.js": "" });
    const ran = sandbox.loopWith({ cwd: join(sandbox.root, "src", "deep") }, "init", "--yes");

    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(
      /^No tool is set up in this folder, so the file belongs in the project's root:\n/,
    );
    expect(ran.out).toContain("Written, and approved on this machine");
    expect(sandbox.read("loop.config.json")).toBe(TEXT);
    expect(statSync(join(sandbox.root, "loop.config.json")).mode & 0o444).toBe(0o444);
    expect(sandbox.loop("trust").out).toBe("Nothing needs approval.\n");
    expect(heldTo(sandbox)).toEqual(["tests pass", "lint clean"]);
  });

  test("approves only what it wrote: an edit is not trusted", () => {
    const sandbox = project();
    sandbox.loop("init", "--yes");
    sandbox.write({ "loop.config.json": TEXT.replace("npm run lint", "touch canary") });

    expect(heldTo(sandbox)).toEqual([]);
  });

  variant("leaves a file that is there alone, unless it is told to replace it", () => {
    const sandbox = project();
    sandbox.write({ "loop.config.json": "{}" });

    const refused = sandbox.loop("init", "--yes");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toBe(
      "loop: loop.config.json is there already; to replace it with what is found here now: loop init --force\n",
    );
    expect(sandbox.read("loop.config.json")).toBe("{}");
    expect(sandbox.loop("init", "--force").code).toBe(0);
    expect(sandbox.read("loop.config.json")).toBe("{}");

    expect(sandbox.loop("init", "--force", "--yes").code).toBe(0);
    expect(sandbox.read("loop.config.json")).toBe(TEXT);
    expect(heldTo(sandbox)).toEqual(["tests pass", "lint clean"]);
  });

  test("tells it all as JSON, and writes with --yes", () => {
    const sandbox = project();
    const shown = {
      path: join(sandbox.root, "loop.config.json"),
      config: { checks: { "tests pass": "npm run test", "lint clean": "npm run lint" } },
      checks: [
        { name: "tests pass", command: "npm run test", source: "package.json script test" },
        { name: "lint clean", command: "npm run lint", source: "package.json script lint" },
      ],
      obstacles: ["Run npm install first: package.json script build needs nosuchbundler."],
    };

    const looked = JSON.parse(sandbox.loop("init", "--json").out) as unknown;
    expect(looked).toEqual({ ...shown, written: false, approved: false });
    expect(isWritten(sandbox)).toBe(false);
    const wrote = JSON.parse(sandbox.loop("init", "--json", "--yes").out) as unknown;
    expect(wrote).toEqual({ ...shown, written: true, approved: true });
    expect(sandbox.read("loop.config.json")).toBe(TEXT);
  });

  test.each([
    ["no tool is known", {}, "No tool of this project is known here; write loop.config.json yourself"],
    [
      "nothing is installed",
      { "package.json": JSON.stringify({ scripts: { test: "nosuchrunner" } }) },
      "Nothing here can be run yet. Run npm install first: package.json script test needs nosuchrunner.",
    ],
  ])("has nothing to write where %s, and says so", (_, files, why) => {
    const sandbox = new Sandbox(files);
    const ran = sandbox.loop("init", "--yes");

    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`loop: ${why}`);
    expect(isWritten(sandbox)).toBe(false);
  });
});

describe("loop init by an agent", () => {
  variant("writes, but nothing uses it before a person has approved it", () => {
    const sandbox = project();
    const ran = sandbox.agentLoop("s1", "init", "--yes");

    expect(ran.code).toBe(0);
    expect(ran.out).toContain("Nothing uses it before a person has approved it with: loop trust");
    expect(sandbox.read("loop.config.json")).toBe(TEXT);
    expect(heldTo(sandbox)).toEqual([]);
    expect(sandbox.loop("trust", "--yes").code).toBe(0);
    expect(heldTo(sandbox)).toEqual(["tests pass", "lint clean"]);
  });

  test("does not replace what a person approved", () => {
    const sandbox = project();
    sandbox.write({ "loop.config.json": '{"proof":"strict"}' });
    const ran = sandbox.agentLoop("s1", "init", "--force", "--yes");

    expect(ran.code).toBe(1);
    expect(ran.err).toContain("`loop init --force` may only be run by the user");
    expect(sandbox.read("loop.config.json")).toBe('{"proof":"strict"}');
  });
});

describe.skipIf(missingPty() !== null)("loop init in a terminal", () => {
  function inTerminal(sandbox: Sandbox): OnTerminal {
    const env = { ...sandbox.env, NO_COLOR: "1", TERM: "dumb" };
    return onTerminal([process.execPath, CLI, "init"], { cwd: sandbox.root, env });
  }

  test.each(
    someOf(
      [
        ["Enter", "\r", true, 0],
        ["n", "n\r", false, 0],
        ["the end of the input", "\u0004", false, 0],
        ["Ctrl-C", "\u0003", false, 130],
      ] as const,
      2,
      4,
    ),
  )("asks whether to write its settings, and takes %s for an answer", async (_, keys, written, code) => {
    const sandbox = project();
    const terminal = inTerminal(sandbox);
    await terminal.until(/\? Write loop\.config\.json\? \[Y\/n\] $/);
    terminal.type(keys);

    expect(await terminal.ended).toBe(code);
    expect(isWritten(sandbox)).toBe(written);
    expect(heldTo(sandbox)).toHaveLength(written ? 2 : 0);
  });
});
