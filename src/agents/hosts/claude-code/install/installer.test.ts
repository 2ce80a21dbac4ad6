import { createMachine } from "../../../../storage/loops/machine.ts";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { describe, expect, onTestFinished, test } from "vitest";
import { addInstall } from "../../../../programs/cli/commands/install.ts";
import { Answers } from "../../../../programs/cli/questions/answers.ts";
import { createTerminal } from "../../../../views/terminal/terminal.ts";
import { applyChange } from "../../install/settings-file.ts";
import type { Planned, Program, Scope, SettingsChange } from "../../install/installer.ts";
import { findHost } from "../../hosts.ts";
import { INSTALLERS } from "../../installers.ts";
import { claudeCodeInstaller } from "./installer.ts";

const KNOWN = INSTALLERS.map(({ id }) => `${id} (${findHost(id)?.title})`);

/** A home and a project of their own, and a program that can be installed. */
class Home {
  readonly home: string;
  readonly project: string;
  readonly program: Program;
  env: NodeJS.ProcessEnv;

  constructor() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-install-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    this.home = join(folder, "home");
    this.project = join(folder, "project");
    this.env = { HOME: this.home };
    const hook = join(folder, "loop wright", "dist", "hook.js");
    for (const each of [this.home, join(this.project, ".git"), join(this.project, "src"), dirname(hook)])
      mkdirSync(each, { recursive: true });
    writeFileSync(hook, "");
    this.program = { node: process.execPath, hook };
  }

  get user(): string {
    return join(this.home, ".claude", "settings.json");
  }

  write(path: string, value: unknown): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  }

  install(scope: Scope = "user"): Planned {
    return claudeCodeInstaller.planInstall(
      { env: this.env, cwd: join(this.project, "src") },
      scope,
      this.program,
    );
  }

  uninstall(scope: Scope | null = null): Planned {
    return claudeCodeInstaller.planUninstall({ env: this.env, cwd: join(this.project, "src") }, scope);
  }
}

function changesOf(planned: Planned): readonly SettingsChange[] {
  if (planned.type === "refused") throw new Error(planned.why);
  return planned.changes;
}

function apply(planned: Planned): void {
  for (const change of changesOf(planned)) expect(applyChange(change)).toBeNull();
}

function whyOf(planned: Planned): string {
  expect(planned.type).toBe("refused");
  return planned.type === "refused" ? planned.why : "";
}

async function run(home: Home, ...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  const streams = { stdin: {}, stdout: { write: () => true }, stderr: { write: () => true } };
  const terminal = { ...createTerminal({}, streams), print, complain: print };
  const machine = { ...createMachine(home.env, home.project), home: home.home };
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  const cli = join(dirname(home.program.hook), "cli.js");
  addInstall(program, {
    machine,
    terminal,
    cli,
    readInput: () => "",
    answers: new Answers(),
    endWith: () => undefined,
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    lines.push((error as Error).message);
  }
  return lines.join("\n");
}

describe("installing", () => {
  test("plans first and writes nothing, then writes, then has nothing to do", () => {
    const home = new Home();
    const planned = home.install();
    expect(changesOf(planned)).toMatchObject([{ path: home.user, scope: "user", before: null }]);
    expect(readdirSync(home.home)).toEqual([]);
    apply(planned);
    expect(readFileSync(home.user, "utf8")).toContain(`"${home.program.hook}"`);
    expect(readdirSync(dirname(home.user))).toEqual(["settings.json"]);
    expect(changesOf(home.install())).toEqual([]);
  });

  test.each([
    ["project", "settings.json"],
    ["local", "settings.local.json"],
  ] as const)("of scope %s goes to the root of the project", (scope, name) => {
    const home = new Home();
    apply(home.install(scope));
    expect(readdirSync(join(home.project, ".claude"))).toEqual([name]);
    expect(readdirSync(home.home)).toEqual([]);
  });

  test("says that shared settings are shared, and that hooks are switched off", () => {
    const home = new Home();
    home.write(home.user, { disableAllHooks: true });
    expect(home.install("project")).toMatchObject({
      notices: [expect.stringContaining("disableAllHooks"), expect.stringContaining("--scope local")],
    });
    expect(home.install("local")).toMatchObject({ notices: [expect.stringContaining("disableAllHooks")] });
  });

  test("honours CLAUDE_CONFIG_DIR", () => {
    const home = new Home();
    home.env = { ...home.env, CLAUDE_CONFIG_DIR: join(home.home, "elsewhere") };
    apply(home.install());
    expect(readdirSync(home.home)).toEqual(["elsewhere"]);
    expect(readdirSync(join(home.home, "elsewhere"))).toEqual(["settings.json"]);
  });

  test("writes where a link leads, and keeps the file's mode", () => {
    const home = new Home();
    const real = join(home.home, "dotfiles", "claude.json");
    home.write(real, { model: "opus" });
    chmodSync(real, 0o600);
    mkdirSync(dirname(home.user));
    symlinkSync(real, home.user);
    apply(home.install());
    expect(lstatSync(home.user).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("hook.js");
    expect(statSync(real).mode & 0o777).toBe(0o600);
  });

  test("leaves a file alone that somebody changed after it was shown", () => {
    const home = new Home();
    home.write(home.user, { model: "opus" });
    const [change] = changesOf(home.install());
    home.write(home.user, { model: "sonnet" });
    expect(change && applyChange(change)).toContain("changed meanwhile");
    expect(readFileSync(home.user, "utf8")).toBe('{"model":"sonnet"}');
  });
});

describe("refusing", () => {
  test.each(["user", "project", "local"] as const)("beside a plugin enabled in %s settings", (scope) => {
    const home = new Home();
    const name = scope === "local" ? "settings.local.json" : "settings.json";
    const folder = scope === "user" ? home.home : home.project;
    home.write(join(folder, ".claude", name), { enabledPlugins: { "loop@loopwright": true } });
    expect(whyOf(home.install())).toContain("claude plugin uninstall loop@loopwright");
  });

  test("beside an installed plugin", () => {
    const home = new Home();
    const list = { version: 2, plugins: { "loop@loopwright": [{ scope: "user" }] } };
    home.write(join(home.home, ".claude", "plugins", "installed_plugins.json"), list);
    expect(whyOf(home.install())).toContain("The plugin loop@loopwright is installed");
  });

  test("beside our hooks in other settings, and beside one written by hand", () => {
    const home = new Home();
    apply(home.install("user"));
    expect(whyOf(home.install("local"))).toContain("loop uninstall claude-code --scope user");
    const byHand = { type: "command", command: "node /my/loopwright/dist/hook.js stop" };
    home.write(home.user, { hooks: { Stop: [{ hooks: [byHand] }] } });
    expect(whyOf(home.install())).toContain("hand-written loop hook");
  });

  test("settings that cannot be parsed or read, with the file's name and nothing written", () => {
    const home = new Home();
    home.write(home.user, "{ broken");
    const why = `${home.user} cannot be edited: it is not valid JSON; fix it, then try again.`;
    expect(home.install()).toEqual({ type: "refused", why });
    expect(home.uninstall()).toEqual({ type: "refused", why });
    expect(readFileSync(home.user, "utf8")).toBe("{ broken");
    rmSync(home.user);
    mkdirSync(home.user);
    expect(whyOf(home.install())).toContain("cannot be read or written (EISDIR)");
  });

  test("a program that is not there, or that npx will clear away", () => {
    const home = new Home();
    const around = { env: home.env, cwd: home.project };
    const gone = { node: process.execPath, hook: join(home.home, "hook.js") };
    expect(whyOf(claudeCodeInstaller.planInstall(around, "user", gone))).toContain("npm run build");
    const passing = { node: process.execPath, hook: join(home.home, "_npx", "1", "hook.js") };
    home.write(passing.hook, "");
    expect(whyOf(claudeCodeInstaller.planInstall(around, "user", passing))).toContain(
      "npm install -g loopwright",
    );
  });
});

describe("uninstalling", () => {
  test("finds the hooks wherever they are, and leaves the rest", () => {
    const home = new Home();
    home.write(join(home.project, ".claude", "settings.json"), { model: "opus" });
    apply(home.install("project"));
    const [change, ...others] = changesOf(home.uninstall());
    expect(others).toEqual([]);
    expect(change).toMatchObject({ scope: "project", after: '{"model":"opus"}' });
    expect(changesOf(home.uninstall("user"))).toEqual([]);
  });

  test("works beside the plugin, and with nothing there", () => {
    const home = new Home();
    expect(changesOf(home.uninstall())).toEqual([]);
    apply(home.install());
    const settings = JSON.parse(readFileSync(home.user, "utf8")) as object;
    home.write(home.user, { ...settings, enabledPlugins: { "loop@loopwright": true } });
    apply(home.uninstall());
    expect(JSON.parse(readFileSync(home.user, "utf8"))).toEqual({
      enabledPlugins: { "loop@loopwright": true },
    });
  });
});

describe("the commands", () => {
  test("show what changes, and write only after a yes", async () => {
    const home = new Home();
    const shown = await run(home, "install", "claude-code");
    expect(shown).toContain(`${home.user} (new)\n+ {\n+   "hooks": {`);
    expect(shown).toContain("add --yes");
    expect(readdirSync(home.home)).toEqual([]);
    expect(await run(home, "install", "claude-code", "--yes")).toContain(
      "Installed the hooks for new sessions",
    );
    expect(readFileSync(home.user, "utf8")).toContain(JSON.stringify(process.execPath));
    expect(await run(home, "install", "claude-code")).toBe("The hooks are already installed.");
    expect(await run(home, "uninstall", "claude-code", "--yes")).toContain("Removed the hooks.");
    expect(existsSync(home.user)).toBe(false);
    expect(await run(home, "uninstall", "claude-code")).toBe("No loop hooks found in the settings.");
  });

  test("print a plan as JSON and change nothing", async () => {
    const home = new Home();
    const { changes } = JSON.parse(await run(home, "install", "claude-code", "--json")) as {
      changes: SettingsChange[];
    };
    expect(changes).toMatchObject([{ path: home.user, before: null }]);
    expect(readdirSync(home.home)).toEqual([]);
  });

  test("know only hosts and scopes that there are", async () => {
    const home = new Home();
    for (const command of ["install", "uninstall"]) {
      expect(await run(home, command, "emacs")).toBe(
        `loop has no hooks for "emacs"; choose one of ${KNOWN.join(", ")}.`,
      );
    }
    expect(KNOWN).toContain("claude-code (Claude Code)");
    expect(await run(home, "install", "claude-code", "--scope", "world")).toContain("user, project, local");
  });

  test("are refused to an agent where they would loosen", async () => {
    const home = new Home();
    apply(home.install());
    home.env = { ...home.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "session-1" };
    expect(await run(home, "uninstall", "claude-code", "--yes")).toContain("may only be run by the user");
    expect(readFileSync(home.user, "utf8")).toContain("hook.js");
  });
});

test("every copy of the hooks is found, with what takes it away", () => {
  const home = new Home();
  const copies = (): readonly string[] =>
    claudeCodeInstaller
      .findCopies({ env: home.env, cwd: join(home.project, "src") })
      .map(({ where, removal }) => `${where}: ${removal}`);
  expect(copies()).toEqual([]);

  const planned = home.install();
  for (const { path, after } of planned.type === "changes" ? planned.changes : []) home.write(path, after);
  const settings = `${home.user}: loop uninstall claude-code --scope user`;
  expect(copies()).toEqual([settings]);

  home.write(join(home.home, ".claude/plugins/installed_plugins.json"), {
    version: 2,
    plugins: { "loop@loopwright": [{ scope: "user", installPath: "/x", version: "1.0.0" }] },
  });
  expect(copies()).toEqual(["the plugin loop@loopwright: claude plugin uninstall loop@loopwright", settings]);

  home.write(home.user, "{ not JSON");
  expect(copies()).toHaveLength(1);
});
