import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { build as bundle } from "esbuild";
import { describe, expect, test } from "vitest";
import { COMMAND_MODULES } from "../src/programs/cli/command-table.ts";
import { heldReason, type Ran, Sandbox } from "./support/sandbox.ts";
import { isFullEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const COMMANDS = COMMAND_MODULES.flatMap(({ summaries, hidden = [] }) => [
  ...Object.keys(summaries),
  ...hidden,
]);

/** The names of the parts whose compiled code this state home keeps. */
function keptParts(sandbox: Sandbox): readonly string[] {
  const folder = join(sandbox.home, "state", "loopwright", "compiled");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => name.replace(/(-[A-Z0-9]{8})?\.js-.*/, ""));
}

function makeStateHome(sandbox: Sandbox): void {
  mkdirSync(join(sandbox.home, "state", "loopwright"), { recursive: true });
}

describe("loop", () => {
  test.each(COMMANDS)("%s is there, and says what it does", (command) => {
    const sandbox = new Sandbox();
    const ran = sandbox.loop(command, "--help");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(new RegExp(`^Usage: loop ${command} `));
  });

  test("lists each command with its summary, in its group", () => {
    const { out } = new Sandbox().loop("--help");
    let at = 0;
    for (const { group, summaries } of COMMAND_MODULES) {
      expect(out).toContain(`\n${group}\n`);
      for (const [name, summary] of Object.entries(summaries)) {
        const line = new RegExp(`^ {2}${name} +${summary.slice(0, 30)}`, "m").exec(out);
        expect(line?.index).toBeGreaterThan(at);
        at = line?.index ?? at;
      }
    }
  });

  test("loads the command that is asked for, and none for the overview", () => {
    const sandbox = new Sandbox();
    makeStateHome(sandbox);
    sandbox.spawnLoop("--help");
    sandbox.spawnLoop("--version");
    sandbox.spawnLoop("nonsense");
    expect(keptParts(sandbox)).toEqual(["main"]);
    sandbox.spawnLoop("status");
    // Where no loop is open, it looks for one whose records are lost.
    expect(keptParts(sandbox).toSorted()).toEqual(["machine", "main", "status", "undoable"]);
  });

  variant("what always runs has nothing of use cases and runs in it", async () => {
    const { metafile } = await bundle({
      entryPoints: ["src/programs/cli/main.ts"],
      bundle: true,
      platform: "node",
      format: "esm",
      splitting: true,
      outdir: "parts",
      write: false,
      metafile: true,
      logLevel: "error",
    });
    const inputs = new Set<string>();
    const visit = (path: string): void => {
      for (const input of Object.keys(metafile.outputs[path]?.inputs ?? {})) inputs.add(input);
      for (const each of metafile.outputs[path]?.imports ?? [])
        if (each.kind === "import-statement" && each.external !== true) visit(each.path);
    };
    visit("parts/main.js");
    expect(inputs).toContain("src/programs/cli/program.ts");
    // Small pure text is there too: the line that repeats a command is made while its process ends.
    const allowed =
      /^src\/(?:programs\/(?:cli|start)|system\/(?:files|text)|storage|core\/(?:user-error|listed)|views\/terminal\/terminal\.ts)/;
    expect([...inputs].filter((path) => path.startsWith("src/") && !allowed.test(path))).toEqual([]);
    expect([...inputs].filter((path) => path.startsWith("src/programs/cli/commands/"))).toEqual([]);
  });
});

/** How long ago something was depends on when it is asked. */
function ageless(ran: Ran): Ran {
  return { ...ran, out: ran.out.replaceAll(/just now|\d+ s ago/g, "a moment ago") };
}

describe("kept code", () => {
  const STOP = JSON.stringify({ hook_event_name: "Stop", session_id: "s1" });

  test("changes nothing that is said, whole or damaged", () => {
    const sandbox = new Sandbox();
    sandbox.spawnLoop("start", "Fix it", "-c", "ok=true", "--shape", "tool", "--session", "s1");
    const said = sandbox.spawnLoop("status");
    heldReason(sandbox.spawnHook(STOP));
    expect(keptParts(sandbox)).toEqual(expect.arrayContaining(["main", "start", "status", "engine"]));
    const again = sandbox.spawnLoop("status");
    expect(again.out.split("\n")[0]).toBe(said.out.split("\n")[0]);

    const folder = join(sandbox.home, "state", "loopwright", "compiled");
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      // At growing distances: evenly spaced damage can hit both copies of the code alike.
      for (let at = 40, step = 97; at < bytes.length; at += step++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      writeFileSync(join(folder, name), bytes);
    }
    expect(ageless(sandbox.spawnLoop("status"))).toEqual(ageless(again));
    expect(heldReason(sandbox.spawnHook(STOP))).toContain("[ITERATION 2/");
  });

  test("is left by nobody who has no state home, and needed by nobody", () => {
    const sandbox = new Sandbox();
    expect(sandbox.spawnLoop("--help").code).toBe(0);
    expect(sandbox.spawnLoop("status").code).toBe(0);
    expect(existsSync(join(sandbox.home, "state"))).toBe(false);
    mkdirSync(join(sandbox.home, "state", "loopwright"), { recursive: true });
    writeFileSync(join(sandbox.home, "state", "loopwright", "compiled"), "a file where the folder should be");
    expect(sandbox.spawnLoop("status")).toMatchObject({ code: 0, err: "" });
  });

  test("of a hook is that of a stop", () => {
    const sandbox = new Sandbox();
    makeStateHome(sandbox);
    sandbox.spawnHook(JSON.stringify({ session_id: "s1", source: "startup" }), {}, ["session-start"]);
    expect(keptParts(sandbox)).toEqual([]);
  });
});

describe("the programs start", () => {
  const STARTED = { status: 0, out: expect.stringContaining("No loop is open") as string, err: "" };

  function statusBy(sandbox: Sandbox, ...program: readonly string[]): unknown {
    const [file = "", ...args] = program;
    const { status, stdout, stderr } = spawnSync(file, [...args, "status"], {
      cwd: sandbox.root,
      env: sandbox.env,
      encoding: "utf8",
    });
    return { status, out: stdout, err: stderr };
  }

  test("through links", () => {
    const sandbox = new Sandbox();
    symlinkSync(resolve("dist/cli.js"), join(sandbox.home, "first"));
    symlinkSync("first", join(sandbox.home, "loop"));
    expect(statusBy(sandbox, join(sandbox.home, "loop"))).toEqual(STARTED);
    expect(statusBy(sandbox, process.execPath, join(sandbox.home, "loop"))).toEqual(STARTED);
  });

  test("from a copy of the plugin, and of one file alone", () => {
    const sandbox = new Sandbox();
    cpSync("dist/plugin", join(sandbox.home, "plugin"), { recursive: true });
    expect(statusBy(sandbox, join(sandbox.home, "plugin", "bin", "loop"))).toEqual(STARTED);
    cpSync("dist/cli.js", join(sandbox.home, "alone.cjs"));
    expect(statusBy(sandbox, process.execPath, join(sandbox.home, "alone.cjs"))).toEqual(STARTED);
  });

  variant("from the installed package", () => {
    const sandbox = new Sandbox();
    const npm = (...args: readonly string[]): void => {
      const { status, stderr } = spawnSync("npm", args, { env: sandbox.env, encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    };
    npm("pack", "--ignore-scripts", "--pack-destination", sandbox.home);
    const archive = readdirSync(sandbox.home).find((name) => name.endsWith(".tgz")) ?? "";
    const prefix = join(sandbox.home, "prefix");
    npm("install", "--global", "--offline", "--no-audit", "--prefix", prefix, join(sandbox.home, archive));
    expect(statusBy(sandbox, join(prefix, "bin", "loop"))).toEqual(STARTED);
  });

  test.runIf(isFullEffort)("while they are being built, in the old version or in the new one", async () => {
    const sandbox = new Sandbox();
    sandbox.start("s1", "Fix it", "-c", "ok=true", "--shape", "tool");
    const clone = join(sandbox.home, "clone");
    for (const path of ["src", "scripts", "plugin", "package.json", "LICENSE"])
      cpSync(path, join(clone, path), { recursive: true });
    symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
    const build = async (version: string): Promise<number | null> => {
      const manifest = { ...(JSON.parse(readFileSync("package.json", "utf8")) as object), version };
      writeFileSync(join(clone, "package.json"), JSON.stringify(manifest));
      const builder = spawn(process.execPath, ["scripts/build.mjs"], { cwd: clone, stdio: "inherit" });
      return new Promise((done) => builder.on("close", done));
    };
    const run = (program: string, input: string, ...args: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(clone, "dist", program), ...args],
        { cwd: sandbox.root, env: sandbox.env, input, encoding: "utf8" },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return stdout;
    };

    expect(await build("1.0.0")).toBe(0);
    const progress = { isBuilding: true };
    const built = build("2.0.0").finally(() => (progress.isBuilding = false));
    const versions = new Set<string>();
    while (progress.isBuilding) {
      versions.add(run("cli.js", "", "--version"));
      expect(run("cli.js", "", "status")).toContain("Fix it");
      const input = JSON.stringify({ session_id: "s1", cwd: sandbox.root });
      expect(run("hook.js", input, "session-start")).toContain("Fix it");
      await new Promise((next) => setImmediate(next));
    }
    expect(await built).toBe(0);
    expect(run("cli.js", "", "--version")).toBe("2.0.0\n");
    expect([...versions].filter((version) => !["1.0.0\n", "2.0.0\n"].includes(version))).toEqual([]);
  });
});
