import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PATIENCE_MS, until } from "./support/patience.ts";
import { leftIn } from "./support/processes-in.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";
import { freshFleet, onPostgres } from "./support/test-postgres.ts";

const CLI = resolve("dist/cli.js");
const LEASE_S = "10";
const TASKS = ["T-001", "T-002", "T-003", "T-004", "T-005", "T-006"];

const postgres = await onPostgres();

describe.runIf(postgres !== null)("three workers in processes of their own, on a real Postgres", () => {
  const ending: ChildProcess[] = [];

  afterAll(async () => {
    for (const child of ending) {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
    }
    await postgres?.end();
  });

  test(
    "one killed, one frozen and thawed, the driver killed, the database crashed: every task is merged once, and nothing is left",
    { timeout: 4 * PATIENCE_MS },
    async () => {
      if (postgres === null) return;
      const url = await freshFleet(postgres);
      const folder = makeTemporaryFolder();
      const home = join(folder, "home");
      const root = join(folder, "shop");
      const scripts = join(folder, "scripts");
      for (const each of [home, root, scripts]) mkdirSync(each, { recursive: true });
      const git = (...args: readonly string[]): string => {
        const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
        return spawnSync("git", ["-C", root, ...identity, ...args], { encoding: "utf8" }).stdout;
      };
      git("init", "-q", "-b", "main");
      const plan = TASKS.map((id) => `### ${id}: Write the file of ${id}\nverify: \`test -f ${id}.txt\`\n`);
      writeFileSync(join(root, "PLAN.md"), `# Files\n\n${plan.join("\n")}`);
      git("add", "-A");
      git("commit", "-qm", "first");
      for (const id of TASKS) {
        const work = [{ run: "sleep 3" }, { write: `${id}.txt`, text: "done\n" }];
        const turns = [{ do: work, say: "<loop-complete>", usd: 0.25 }];
        writeFileSync(join(scripts, `${id}.json`), JSON.stringify({ turns }));
      }
      const env = (state: string): NodeJS.ProcessEnv => ({
        PATH: process.env["PATH"],
        HOME: home,
        XDG_STATE_HOME: join(folder, state),
        LOOP_FLEET: url,
        LOOP_FLEET_LEASE: LEASE_S,
      });
      const loop = (cwd: string, state: string, ...words: readonly string[]): string => {
        const ran = spawnSync(process.execPath, [CLI, ...words], { cwd, env: env(state), encoding: "utf8" });
        return `${ran.stdout}${ran.stderr}`;
      };
      const start = (
        cwd: string,
        state: string,
        ...words: readonly string[]
      ): ChildProcess & { told: () => string } => {
        const child = spawn(process.execPath, [CLI, ...words], {
          ...{ cwd, env: env(state), stdio: ["ignore", "pipe", "pipe"] },
        });
        let told = "";
        for (const stream of [child.stdout, child.stderr])
          stream?.on("data", (text) => (told += String(text)));
        ending.push(child);
        return Object.assign(child, { told: () => told });
      };
      const [key = ""] = /SHA256:\S+/.exec(loop(root, "driver", "fleet", "init")) ?? [];
      const workers = ["w1", "w2", "w3"].map((name) => {
        const clone = join(folder, name);
        spawnSync("git", ["clone", "-q", root, clone]);
        return start(
          clone,
          name,
          "worker",
          "--accept",
          key,
          "--name",
          name,
          "--agents",
          "rehearsal",
          "--slots",
          "1",
        );
      });
      await until(() => workers.every(({ told }) => /fleet trust/.test(told())), "the workers to begin");
      for (const { told } of workers) {
        const [, name = "", its = ""] = /fleet trust (\S+) (SHA256:\S+)/.exec(told()) ?? [];
        loop(root, "driver", "fleet", "trust", name, its);
      }
      const digest = JSON.parse(loop(root, "driver", "plan", "PLAN.md", "--json")) as { digest?: string };
      const drive = ["--agent", "rehearsal", "--script", scripts, "--no-model"];
      const first = start(
        root,
        "driver",
        "run",
        "--plan",
        "PLAN.md",
        "--plan-digest",
        digest.digest ?? "",
        ...drive,
      );
      await until(() => workers.every(({ told }) => /began with/.test(told())), "all of them to work");
      const [killed, frozen] = workers;
      killed?.kill("SIGKILL");
      frozen?.kill("SIGSTOP");
      first.kill("SIGKILL");
      await postgres.crash();
      await postgres.start();
      const second = start(root, "driver", "continue");
      await until(() => / stopped answering/.test(second.told()), "the lost ones to be noticed");
      frozen?.kill("SIGCONT");
      await until(() => /its lease ran out/.test(frozen?.told() ?? ""), "the thawed one to be told");
      await until(() => second.exitCode !== null, "the plan to end");
      expect(second.told()).toContain("SHIP");
      expect(second.exitCode).toBe(0);
      // Every task once, and nothing else.
      const merged = git("log", "--format=%(trailers:key=Loop-Task,valueonly)")
        .split("\n")
        .filter((line) => line !== "");
      expect(merged.toSorted()).toEqual(TASKS);
      for (const worker of workers.slice(1)) worker.kill("SIGTERM");
      await until(() => workers.slice(1).every(({ exitCode }) => exitCode !== null), "the workers to end");
      expect(await leftIn(home)).toEqual([]);
      expect(readFileSync(join(root, "T-006.txt"), "utf8")).toBe("done\n");
    },
  );
});
