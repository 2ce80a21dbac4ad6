import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox, heldReason } from "./support/sandbox.ts";

const S = "session-one";

function withLoop(): Sandbox {
  const sandbox = new Sandbox({ "state.txt": "broken\n" });
  sandbox.commitAll();
  sandbox.start(S, "Fix it", "-c", "fixed=grep -q fixed state.txt", "--shape", "tool");
  return sandbox;
}

function write(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
  return path;
}

const OFF = [{ disableAllHooks: true }, { enabledPlugins: { "loop@loopwright": false } }];

describe("settings that switch the hooks off", () => {
  const changes = (sandbox: Sandbox, settings: object): ReturnType<Sandbox["hook"]> => {
    const file = write(join(sandbox.home, ".claude", "settings.json"), settings);
    const payload = { session_id: S, cwd: sandbox.root, source: "user_settings", file_path: file };
    return sandbox.hook(JSON.stringify(payload), {}, ["config-change"]);
  };

  test.each(OFF)("are refused while a loop holds the session: %j", (settings) => {
    const sandbox = withLoop();
    expect(heldReason(changes(sandbox, settings))).toMatch(
      /^\[LOOP\] The loop \S+ needs these hooks\. Pause it first: \/loop:pause$/,
    );
  });

  test.each(OFF)("are fine once it is paused: %j", (settings) => {
    const sandbox = withLoop();
    sandbox.loop("pause");
    expect(changes(sandbox, settings).out).toBe("");
  });

  test("and any other settings are fine", () => {
    const sandbox = withLoop();
    expect(changes(sandbox, { disableAllHooks: false, model: "opus" }).out).toBe("");
  });
});

const SETTINGS_OF: { readonly [host: string]: string } = {
  "claude-code": ".claude/settings.json",
  kimi: ".kimi-code/config.toml",
  pi: ".pi/agent/extensions/loop.js",
};

describe("loop doctor", () => {
  const PLUGIN = resolve("dist/plugin");

  /** The plugin as the client keeps it. */
  function installed(settings: object = {}): { readonly sandbox: Sandbox; readonly hook: string } {
    const sandbox = new Sandbox();
    const folder = join(sandbox.home, "plugin");
    cpSync(PLUGIN, folder, { recursive: true });
    const plugins = { "loop@loopwright": [{ scope: "user", installPath: folder, version: "0.1.0" }] };
    write(join(sandbox.home, ".claude", "plugins", "installed_plugins.json"), { version: 2, plugins });
    write(join(sandbox.home, ".claude", "settings.json"), settings);
    return { sandbox, hook: join(folder, "dist", "hook.js") };
  }

  const hooks = (sandbox: Sandbox): { readonly health: string; readonly finding: string } => {
    const { findings } = JSON.parse(sandbox.spawnLoop("doctor", "--json").out) as {
      findings: readonly { what: string; health: string; finding: string }[];
    };
    const found = findings.find(({ what }) => what === "hooks");
    if (found === undefined) throw new Error("no word about hooks");
    return found;
  };

  test("calls the plugin's hook as the client would", () => {
    const { sandbox } = installed({ enabledPlugins: { "loop@loopwright": true } });
    expect(hooks(sandbox)).toMatchObject({
      health: "good",
      finding: "claude-code: the plugin loop@loopwright, which answers",
    });
  });

  test.each(OFF)("says that the hooks are switched off: %j", (settings) => {
    const { sandbox } = installed(settings);
    expect(hooks(sandbox)).toMatchObject({
      health: "bad",
      finding: expect.stringContaining("settings.json"),
    });
  });

  test("says that the hook is not its own", () => {
    const { sandbox, hook } = installed();
    writeFileSync(hook, "process.exit(0)");
    expect(hooks(sandbox)).toMatchObject({
      health: "bad",
      finding: expect.stringContaining(`${hook} is not this program's hook`),
    });
  });

  test.each(["claude-code", "kimi", "pi"])("says that the node in the settings of %s is gone", (host) => {
    const sandbox = new Sandbox();
    const node = join(sandbox.home, "node");
    symlinkSync(process.execPath, node);
    sandbox.spawnLoop("install", host, "--yes");
    const settings = join(sandbox.home, SETTINGS_OF[host] ?? "");
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(process.execPath, node));
    expect(hooks(sandbox).health).toBe("good");
    rmSync(node);
    expect(hooks(sandbox)).toMatchObject({
      health: "bad",
      finding: expect.stringContaining(`starts the hook with ${node}, which is gone`),
    });
  });

  test("says the same of the hooks in settings, and runs nothing that isn't its own", () => {
    const sandbox = new Sandbox();
    sandbox.spawnLoop("install", "claude-code", "--yes");
    expect(hooks(sandbox).health).toBe("good");
    sandbox.write({ "elsewhere/dist/hook.js": "require('fs').writeFileSync('ran', '')" });
    const path = join(sandbox.home, ".claude", "settings.json");
    const text = JSON.stringify(JSON.parse(sandbox.read("../home/.claude/settings.json"))).replaceAll(
      resolve("dist/hook.js"),
      join(sandbox.root, "elsewhere/dist/hook.js"),
    );
    writeFileSync(path, text);
    expect(hooks(sandbox)).toMatchObject({ health: "bad" });
    expect(() => sandbox.read("ran")).toThrow("ENOENT");
  });
});
