import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hookEntries } from "../src/agents/hosts/claude-code/install/settings.ts";
import { Sandbox } from "./support/sandbox.ts";

const PLUGIN = "dist/plugin";
const SKILLS = ["cancel", "continue", "pause", "start", "status"];
const { version } = readJson("package.json") as { version: string };

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright plugin ")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Skill {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/** One field a line, plain or as a JSON string: a part of YAML that every reader reads alike. */
function readSkill(name: string): Skill {
  const text = readFileSync(join(PLUGIN, "skills", name, "SKILL.md"), "utf8");
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error(`${name} has no frontmatter`);
  const fields = head.split("\n").map((line): readonly [string, string] => {
    const [, key, value] = /^([a-z-]+): (.+)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new Error(`not a field: ${line}`);
    if (value.startsWith('"')) return [key, JSON.parse(value) as string];
    if (/^[^A-Za-z0-9]|: | #|[:\s]$/.test(value)) throw new Error(`needs quotes: ${line}`);
    return [key, value];
  });
  return { fields: new Map(fields), body };
}

const REFERENCES = ["mechanics.md", "rubric.md", "cost-controls.md", "headless.md"];

function reference(name: string): string {
  return readFileSync(join(PLUGIN, "skills", "start", "references", name), "utf8");
}

function allowed(name: string): string {
  return readSkill(name).fields.get("allowed-tools") ?? "";
}

function helpOf(...command: readonly string[]): string {
  return spawnSync(process.execPath, ["dist/cli.js", ...command, "--help"], { encoding: "utf8" }).stdout;
}

function run(path: string, ...args: readonly string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(path, args, { encoding: "utf8", cwd: tmpdir() });
  return { code: status, out: stdout, err: stderr };
}

describe("the built plugin", () => {
  test("has everything, and the programs are those of this build", () => {
    const files = readdirSync(PLUGIN, { recursive: true, encoding: "utf8" }).filter((path) =>
      statSync(join(PLUGIN, path)).isFile(),
    );
    expect(files.toSorted((a, b) => a.localeCompare(b, "en"))).toEqual(
      [
        ".claude-plugin/plugin.json",
        "agents/reviewer.md",
        "agents/worker.md",
        "bin/loop",
        "dist/bin/loop",
        "dist/cli.js",
        "dist/dashboard.html",
        "dist/fleet-engine.js",
        "dist/hook.js",
        "dist/hook.sh",
        "dist/licenses.txt",
        "dist/package.json",
        "hooks/hooks.json",
        "LICENSE",
        "README.md",
        ...SKILLS.map((name) => `skills/${name}/SKILL.md`),
        ...REFERENCES.map((name) => `skills/start/references/${name}`),
      ].toSorted((a, b) => a.localeCompare(b, "en")),
    );
    for (const name of ["cli.js", "hook.js"]) {
      expect(readFileSync(join(PLUGIN, "dist", name)).equals(readFileSync(join("dist", name)))).toBe(true);
    }
    expect(readJson(join(PLUGIN, "dist", "package.json"))).toEqual({
      name: "loopwright",
      version,
      type: "commonjs",
    });
  });

  test("says its name and the package's version", () => {
    expect(readJson(join(PLUGIN, ".claude-plugin", "plugin.json"))).toMatchObject({
      name: "loop",
      version,
      author: { name: expect.any(String) as string },
      description: expect.any(String) as string,
      license: "MIT",
      keywords: expect.arrayContaining(["loop"]) as string[],
    });
  });

  test("is offered by the marketplace around it", () => {
    const offered = readJson("dist/.claude-plugin/marketplace.json");
    expect(offered).toMatchObject({ name: "loopwright", plugins: [{ name: "loop", source: "./plugin" }] });
  });

  test("calls the hook for the same events, and in the same way, as an installation does", () => {
    const entries = hookEntries({ node: "node", hook: "${CLAUDE_PLUGIN_ROOT}/dist/hook.js" }, "linux");
    expect(readJson(join(PLUGIN, "hooks", "hooks.json"))).toEqual({
      description: expect.any(String) as string,
      hooks: Object.fromEntries([...entries].map(([event, entry]) => [event, [{ hooks: [entry] }]])),
    });
  });

  test("each event's word is the event in lower case with dashes", () => {
    const words = [...hookEntries({ node: "node", hook: "hook.js" })].map(([event, { args }]) => [
      event,
      args[1],
    ]);
    expect(Object.fromEntries(words)).toEqual({
      Stop: "stop",
      SubagentStop: "subagent-stop",
      StopFailure: "stop-failure",
      SessionStart: "session-start",
      SessionEnd: "session-end",
      UserPromptSubmit: "user-prompt-submit",
      UserPromptExpansion: "user-prompt-expansion",
      PreToolUse: "pre-tool-use",
      PermissionRequest: "permission-request",
      PostToolUse: "post-tool-use",
      PostToolUseFailure: "post-tool-use-failure",
      PreCompact: "pre-compact",
      PostCompact: "post-compact",
      ConfigChange: "config-change",
    });
  });
});

describe("the skills", () => {
  test.each(SKILLS)(
    "%s has a frontmatter that every reader understands, and a description that is shown whole",
    (name) => {
      const { fields, body } = readSkill(name);
      // The folder names it; with a name of its own, some clients offer /NAME beside /loop:NAME.
      expect(fields.has("name")).toBe(false);
      const description = fields.get("description") ?? "";
      expect(description.length).toBeGreaterThan(20);
      expect(description.length).toBeLessThanOrEqual(1536);
      expect(body.trim()).not.toBe("");
    },
  );

  test.each(SKILLS)("%s has nothing that the host would replace by accident", (name) => {
    // "$25" is the user's 26th argument, and so nothing.
    expect(
      readSkill(name).body.replaceAll("${CLAUDE_SESSION_ID}", "").replace("$ARGUMENTS", ""),
    ).not.toContain("$");
  });

  test.each(SKILLS)("%s hands no words of the user's to a shell", (name) => {
    for (const [command] of readSkill(name).body.matchAll(/!`[^`]*`/g)) {
      expect(command).toBe(`!\`loop ${name}\``);
    }
  });

  test.each(["cancel", "continue", "pause"])("only the user can call %s", (name) => {
    expect(readSkill(name).fields.get("disable-model-invocation")).toBe("true");
  });

  test("cancel calls no loop over that there never was", () => {
    expect(readSkill("cancel").body).not.toContain("The loop is over");
    expect(readSkill("cancel").body).toContain("if no loop was open, that there was none");
  });

  test("nothing that brings a new command, or loosens, is allowed beforehand", () => {
    expect(allowed("start")).not.toMatch(/loop \*|start|add|cancel|pause|continue|approve|trust/);
    expect(allowed("continue")).not.toMatch(/loop \*|start|add|cancel|pause|approve|trust/);
    expect(allowed("cancel")).toBe("Bash(loop cancel *)");
    expect(allowed("pause")).toBe("Bash(loop pause *)");
    expect(allowed("status")).toBe("Bash(loop status *)");
  });

  test("start answers to the words people use, and stays short", () => {
    const { fields, body } = readSkill("start");
    for (const words of [
      "keep going",
      "don't stop",
      "continue until done",
      "until tests pass",
      "implement full feature",
      "fix all problems",
      "make better",
      "what is loop",
      "how does loop work",
      "loop help",
      "fix the for loop",
    ]) {
      expect(fields.get("description")).toContain(`"${words}"`);
    }
    expect(fields.get("description")).not.toContain('"loop"');
    expect(body).not.toContain("0-2 each");
    expect(body.length).toBeLessThan(3_000);
  });

  test("start names its references, which it reads only when somebody asks, and which stay short", () => {
    const { body } = readSkill("start");
    for (const name of REFERENCES) {
      expect(body).toContain(`\`${name}\``);
      expect(reference(name).length).toBeLessThan(3_500);
    }
  });

  test("the references show only commands, flags and files that there are", () => {
    const all = helpOf();
    const flags = ["start", "run", "continue"].map((command) => helpOf(command)).join("\n");
    for (const name of REFERENCES) {
      for (const [, command] of reference(name).matchAll(/`loop ([a-z]+)/g))
        expect(all).toContain(`\n  ${command} `);
      for (const [flag] of reference(name).matchAll(/--[a-z][a-z-]+/g)) expect(flags).toContain(flag);
      for (const [, command = ""] of reference(name).matchAll(/\/loop:([a-z]+)/g))
        expect(SKILLS).toContain(command);
    }
  });

  test("the table of limits in the references is what a loop begins with", () => {
    const sandbox = new Sandbox();
    const view = sandbox.start(null, "Fix it", "-c", "true=true");
    expect(reference("cost-controls.md")).toContain(`| budget | ${view.budgetUsd} dollars |`);
    expect(reference("cost-controls.md")).toContain(`| iterations | ${view.iterationLimit} |`);
  });

  test("the worked example in the references scores what they say", () => {
    const sandbox = new Sandbox();
    const scored = (spec: string): unknown =>
      (JSON.parse(sandbox.loop("score", spec, "--json").out) as { total: unknown }).total;
    const [, spec = "", more = ""] =
      /^"(.+)" has .* = 7: colleague\. With "(.+)" it has 10/m.exec(reference("rubric.md")) ?? [];
    expect([scored(spec), scored(`${spec}. ${more}`)]).toEqual([7, 10]);
  });

  test.each(["start", "continue"])("%s names the way out, and what is compared with the start", (name) => {
    const { body } = readSkill(name);
    expect(body).toContain("`loop blocked --check 'NAME' 'REASON'`");
    expect(body).toMatch(/compared with (?:its|their) state at the start/);
    expect(allowed(name)).toContain("Bash(loop blocked *)");
    expect(helpOf("blocked")).toContain("--check <name>");
    expect(helpOf("blocked")).toContain("$ loop blocked --check 'tests pass' '");
  });

  test("start shows only commands and flags that there are", () => {
    const { body } = readSkill("start");
    const help = {
      start: helpOf("start"),
      score: helpOf("score"),
      met: helpOf("criteria", "met"),
      add: helpOf("criteria", "add"),
    };
    for (const flag of [
      "--session",
      "-c",
      "-s",
      "--protect",
      "-f",
      "--must-not",
      "--budget",
      "--iterations",
      "--nested",
    ]) {
      expect(body).toContain(flag);
      expect(help.start).toContain(flag);
    }
    expect(help.score).toContain("-f,");
    for (const flag of ["--by", "--note"]) expect(help.met).toContain(flag);
    expect(help.add).toContain("--check");
    for (const type of [
      "observation",
      "execution output",
      "measurement",
      "code review",
      "reasoned inference",
    ]) {
      expect(body).toContain(type);
      expect(help.met).toContain(type);
    }
    const all = helpOf();
    for (const [, command] of body.matchAll(/`loop ([a-z]+)/g)) expect(all).toContain(`\n  ${command} `);
  });

  test("start's own command, with the user's words in it, opens a loop with exactly those words", () => {
    const [command = ""] = /^loop start [\s\S]*?\nEND_OF_SPEC$/m.exec(readSkill("start").body) ?? [];
    const spec =
      "Fix `id` in \"$(touch pwned)\" & don't stop; ${HOME} !! \\n 'quoted'\n-c 'no=true' | cat > pwned";
    const sandbox = new Sandbox({ "package.json": JSON.stringify({ scripts: { test: "exit 1" } }) });
    const filled = command
      .replace("${CLAUDE_SESSION_ID}", "session-1")
      .replace("\nSPEC\n", () => `\n${spec}\n`);
    const { status, stdout, stderr } = spawnSync("sh", ["-c", filled], {
      cwd: sandbox.root,
      env: { ...sandbox.env, CLAUDECODE: "1", PATH: `${resolve(PLUGIN, "bin")}:${sandbox.env["PATH"]}` },
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^loop: No check for "NAME that no command checks", .*\n$/);
    expect(stdout).toMatch(/^\[LOOP\] Starting \| Shape: /);
    const loop = sandbox.only();
    expect(loop.spec?.trimEnd()).toBe(spec);
    expect(loop).toMatchObject({ session: "session-1", steps: [{ name: "STEP" }] });
    expect(loop.criteria.map(({ name, check }) => [name, check])).toEqual([
      ["tests pass", "npm test"],
      ["NAME that no command checks", null],
    ]);
    expect(readdirSync(sandbox.root)).toEqual([".loop", "package.json"]);
  });
});

describe("bin/loop", () => {
  test("runs the plugin's own program from a folder with spaces, through absolute and relative links", () => {
    const folder = temporaryFolder();
    const copy = join(folder, "a copy");
    cpSync(PLUGIN, copy, { recursive: true });
    symlinkSync(join(copy, "bin", "loop"), join(folder, "first link"));
    symlinkSync("first link", join(folder, "second link"));
    for (const path of [join(copy, "bin", "loop"), join(folder, "first link"), join(folder, "second link")]) {
      expect(run(path, "--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
    }
  });

  test("passes words and exit codes through as they are", () => {
    const spec = 'a  b\n*"$HOME"\'';
    const scored = run(resolve(PLUGIN, "bin", "loop"), "score", "--json", spec);
    expect(scored.code).toBe(0);
    expect(run(resolve(PLUGIN, "bin", "loop"), "no-such-command").code).toBe(1);
  });

  test("says what is missing where there is no node", () => {
    const { status, stderr } = spawnSync("/bin/sh", [join(PLUGIN, "bin", "loop"), "--version"], {
      encoding: "utf8",
      env: { PATH: temporaryFolder() },
    });
    expect(status).toBe(127);
    expect(stderr).toContain("Node.js 20.19 or newer is needed");
  });
});
