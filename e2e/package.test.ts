import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PACKAGE_LINES, type PackageLine } from "../test/support/package-lines.ts";
import { claudeEnvironment, claudeProgram } from "./claude.ts";
import { Registry, type Tarball } from "./registry.ts";
import { World, bash } from "./world.ts";

const REPOSITORY = resolve(import.meta.dirname, "..");
const { version: VERSION } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
  version: string;
};

interface Ran {
  readonly code: number | null;
  readonly said: string;
}

/** A machine with node, npm, git and Claude Code: nothing of Loopwright, an empty home, and an empty place for global packages. */
class Newcomer {
  readonly world: World;
  readonly prefix: string;
  readonly succeeded: PackageLine[] = [];
  private readonly env: { readonly [name: string]: string };

  private constructor(world: World, registry: Registry) {
    this.world = world;
    this.prefix = join(world.home, "npm");
    const programs = join(world.home, "programs");
    mkdirSync(programs);
    symlinkSync(claudeProgram(), join(programs, "claude"));
    const { PATH, ...own } = claudeEnvironment(world.home, world.server);
    this.env = {
      ...own,
      PATH: [join(this.prefix, "bin"), programs, PATH].join(":"),
      npm_config_prefix: this.prefix,
      npm_config_registry: registry.url,
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
      npm_config_yes: "true",
    };
  }

  static async arrive(registry: Registry): Promise<Newcomer> {
    const world = await World.create(
      { "state.txt": "broken\n" },
      {
        main: [
          { tools: [bash("loop start 'Fix state.txt' -c 'fixed=grep -q fixed state.txt' --shape tool")] },
          { text: "All done." },
          { tools: [bash("echo fixed > state.txt; loop done")] },
          { text: "Now it is." },
        ],
      },
    );
    return new Newcomer(world, registry);
  }

  /** Types a line into a shell. */
  async types(line: string): Promise<Ran> {
    const child = spawn("/bin/sh", ["-c", line], {
      cwd: this.world.project,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => (said += part));
    const code = await new Promise<number | null>((done) => child.on("close", done));
    return { code, said };
  }

  /** Types a line of the documents, which has to work without a complaint. */
  async succeeds(line: PackageLine): Promise<string> {
    this.succeeded.push(line);
    const { code, said } = await this.types(line);
    if (code !== 0 || /npm (?:warn|error)/i.test(said))
      throw new Error(`${line} ended with ${code}: ${said}`);
    return said;
  }
}

function pack(folder: string, into: string): Tarball {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
  const { stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  const [packed] = JSON.parse(stdout || stderr) as [{ filename: string; version: string }];
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
  return { version: packed.version, path: join(into, packed.filename), manifest };
}

/** The same package one version later: wherever the version stands, another of the same length does. */
function packNext(into: string): Tarball {
  const folder = join(into, "next");
  const next = VERSION.replace(/\d$/, (last) => String((Number(last) + 1) % 10));
  cpSync(join(REPOSITORY, "dist"), join(folder, "dist"), {
    recursive: true,
    filter: (path) => !path.includes("test-programs"),
  });
  cpSync(join(REPOSITORY, "package.json"), join(folder, "package.json"));
  const ours = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => /(?:package|plugin)\.json$|(?:cli|hook)\.js$/.test(path) && lstatSync(path).isFile());
  for (const path of ours)
    writeFileSync(
      path,
      readFileSync(path, "utf8")
        .replaceAll(`"${VERSION}"`, `"${next}"`)
        // As a build would: other parts have another digest.
        .replace(/(?<="digest":")[0-9a-f]+/, (digest) => digest.split("").toReversed().join("")),
    );
  return pack(folder, into);
}

test("the package installs into nothing, runs, brings its plugin, is upgraded and leaves", async () => {
  const registry = await Registry.start("loopwright");
  onTestFinished(async () => registry.close());
  const newcomer = await Newcomer.arrive(registry);
  const { home } = newcomer.world;
  registry.publish(pack(REPOSITORY, home));

  const demo = await newcomer.succeeds("npx loopwright demo");
  expect(demo).toContain("All checks pass, and the proofs hold. Done.");
  expect((await newcomer.types("loop --version")).code).toBe(127);

  await newcomer.succeeds("npm install -g loopwright");
  expect(await newcomer.types("loop --version")).toEqual({ code: 0, said: `${VERSION}\n` });
  expect(await newcomer.succeeds("loop demo")).toContain("All checks pass, and the proofs hold. Done.");
  expect(await newcomer.succeeds("loop doctor")).toMatch(/^✓ \S/);
  const marketplace = join(newcomer.prefix, "lib/node_modules/loopwright/dist");
  expect(await newcomer.types("loop plugin path")).toEqual({ code: 0, said: `${marketplace}\n` });

  await newcomer.succeeds('claude plugin marketplace add "$(loop plugin path)"');
  await newcomer.succeeds("claude plugin install loop@loopwright");
  const run = await newcomer.world.claude({ prompt: "Fix it" });
  expect(newcomer.world.server.of("main")[2]?.newText).toContain("unmet criteria: fixed");
  expect(run.result?.result).toBe("Now it is.");
  expect(newcomer.world.loops()).toMatchObject([{ phase: "completed" }]);

  const next = packNext(home);
  registry.publish(next);
  await newcomer.succeeds("npm install -g loopwright@latest");
  expect(await newcomer.types("loop --version")).toEqual({ code: 0, said: `${next.version}\n` });
  await newcomer.succeeds("claude plugin marketplace update loopwright");
  await newcomer.succeeds("claude plugin update loop@loopwright");
  expect((await newcomer.types("claude plugin list")).said).toContain(`Version: ${next.version}`);

  await newcomer.succeeds("claude plugin uninstall loop@loopwright");
  await newcomer.succeeds("claude plugin marketplace remove loopwright");
  await newcomer.succeeds("npm uninstall -g loopwright");
  expect((await newcomer.types("loop --version")).code).toBe(127);
  expect(existsSync(dirname(marketplace))).toBe(false);
  expect(newcomer.succeeded).toEqual(PACKAGE_LINES);
  expect([registry.missing, newcomer.world.server.outside]).toEqual([[], []]);
});
