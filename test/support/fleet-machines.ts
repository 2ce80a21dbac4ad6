import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PrivatePostgres } from "../../src/programs/demo/private-postgres.ts";
import { openWay, type Way } from "./fleet-network.ts";
import { processesIn } from "./processes-in.ts";
import { freshFleet } from "./test-postgres.ts";

const CLI = resolve("dist/cli.js");

/** As a clock that runs that many milliseconds ahead: only what asks JavaScript is deceived. */
const SKEWED = `const by = Number(process.env.PLAYED_SKEW_MS ?? 0);
const Real = Date;
const now = () => Real.now() + by;
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
  static now() { return now(); }
};
`;

export interface MachineOptions {
  readonly skewMs?: number;
  /** Another build of the program. */
  readonly cli?: string;
  /** Its disk has that many megabytes; where this user can't mount one, it has as much as there is. */
  readonly diskMb?: number;
}

/** A program that runs on a machine. */
export interface Started {
  readonly child: ChildProcess;
  /** All that it printed. */
  readonly told: () => string;
  readonly ended: Promise<number | null>;
}

/** What was done and printed, in the order in which it was seen. */
export class Story {
  readonly lines: string[] = [];
  readonly #from = performance.now();

  note(who: string, what: string): void {
    const at = ((performance.now() - this.#from) / 1000).toFixed(1).padStart(6);
    for (const line of what.trimEnd().split("\n")) {
      this.lines.push(`${at} ${who.padEnd(7)} ${line}`);
      if (process.env["LOOP_TEST_STORY"] !== undefined) process.stderr.write(`${this.lines.at(-1) ?? ""}\n`);
    }
  }
}

/** A machine of a fleet, played on this one: with a home, a state home, a clone, a disk and a network of its own. */
export class FleetMachine {
  readonly name: string;
  readonly home: string;
  readonly root: string;
  readonly hasDisk: boolean;
  readonly #way: Way;
  readonly #env: NodeJS.ProcessEnv;
  #cli: string;
  readonly #started: Started[] = [];
  readonly #story: Story;

  constructor(
    world: Pick<FleetWorld, "folder" | "url" | "story">,
    name: string,
    way: Way,
    options: MachineOptions,
  ) {
    const { skewMs = 0, cli = CLI, diskMb } = options;
    this.name = name;
    this.#story = world.story;
    this.home = join(world.folder, name);
    mkdirSync(this.home);
    this.hasDisk =
      diskMb !== undefined &&
      spawnSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m`, "loop-test", this.home]).status === 0;
    this.root = join(this.home, "shop");
    this.#way = way;
    this.#cli = cli;
    const url = new URL(world.url);
    url.searchParams.delete("host");
    url.hostname = way.host;
    url.port = String(way.port);
    url.searchParams.set("sslmode", "disable");
    const clock = join(this.home, "clock.cjs");
    mkdirSync(join(this.home, "tmp"));
    writeFileSync(clock, SKEWED);
    this.#env = {
      PATH: process.env["PATH"],
      HOME: this.home,
      TMPDIR: join(this.home, "tmp"),
      XDG_STATE_HOME: join(this.home, "state"),
      LOOP_FLEET: url.href,
      LOOP_FLEET_LEASE: "10",
      ...(skewMs === 0 ? {} : { NODE_OPTIONS: `--require=${clock}`, PLAYED_SKEW_MS: String(skewMs) }),
    };
  }

  start(...words: readonly string[]): Started {
    const [program = "", ...args] = [...this.#way.entry, process.execPath, this.#cli, ...words];
    const child = spawn(program, args, { cwd: this.root, env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    // After a failure, what was still to happen finds no machine any more; `ended` tells of it.
    child.on("error", () => undefined);
    let told = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => {
        told += String(text);
        this.#story.note(this.name, String(text));
      });
    const ended = new Promise<number | null>((done) => child.on("close", (code) => done(code)));
    const started = { child, told: () => told, ended };
    this.#started.push(started);
    return started;
  }

  /** What is started from now on is another build. */
  upgrade(cli: string): void {
    this.#cli = cli;
  }

  async run(...words: readonly string[]): Promise<string> {
    const { ended, told } = this.start(...words);
    await ended;
    return told();
  }

  cut(): void {
    this.#way.cut();
  }

  mend(): void {
    this.#way.mend();
  }

  /** To all that runs on it at once. */
  signalAll(signal: NodeJS.Signals): void {
    // What is started meanwhile is met the next time.
    for (
      let last = -1, running = processesIn(this.home);
      running.length !== last;
      running = processesIn(this.home)
    ) {
      last = running.length;
      for (const { pid } of running)
        try {
          process.kill(pid, signal);
        } catch {
          // It ended meanwhile.
        }
    }
  }

  get #filler(): string {
    return join(this.home, "filler");
  }

  /** No byte is left on its disk. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.home);
    for (let left = bavail * bsize; left > 0; left = Math.floor(left / 2))
      try {
        writeFileSync(this.#filler, Buffer.alloc(left), { flag: "a" });
      } catch {
        // Less fits.
      }
  }

  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  async end(): Promise<void> {
    this.signalAll("SIGKILL");
    await Promise.all(this.#started.map(async ({ ended }) => ended));
    if (this.hasDisk) spawnSync("umount", ["-l", this.home]);
    await this.#way.end();
  }
}

/** What the work of a task is, in two turns: it says where it was done. */
function playedWork(task: string, seconds: number): object {
  const turns = [
    { do: [{ run: `sleep ${seconds}` }], say: "Half of it.", usd: 0.1 },
    { do: [{ run: `sleep ${seconds}; pwd >> ${task}.txt` }], say: "<loop-complete>", usd: 0.25 },
  ];
  return { turns, repeat: true };
}

/** A plan, a driver and workers, each on a machine of its own, with a server between them. */
export class FleetWorld {
  readonly #postgres: PrivatePostgres;
  readonly folder: string;
  readonly url: string;
  readonly machines: FleetMachine[] = [];
  readonly story = new Story();

  private constructor(postgres: PrivatePostgres, folder: string, url: string) {
    this.#postgres = postgres;
    this.folder = folder;
    this.url = url;
  }

  static async begin(postgres: PrivatePostgres, folder: string): Promise<FleetWorld> {
    return new FleetWorld(postgres, folder, await freshFleet(postgres));
  }

  async machine(name: string, options: MachineOptions = {}): Promise<FleetMachine> {
    const way = await openWay(join(this.#postgres.folder, ".s.PGSQL.5432"));
    const machine = new FleetMachine(this, name, way, options);
    this.machines.push(machine);
    return machine;
  }

  /** The machine with the plan, whose tasks can each be done alone. */
  async driver(tasks: readonly string[], seconds: number): Promise<FleetMachine> {
    const driver = await this.machine("driver");
    const { root } = driver;
    mkdirSync(root);
    git(root, "init", "-q", "-b", "main");
    const plan = tasks.map((id) => `### ${id}: Write the file of ${id}\nverify: \`test -s ${id}.txt\`\n`);
    writeFileSync(join(root, "PLAN.md"), `# Files\n\n${plan.join("\n")}`);
    git(root, "add", "-A");
    git(root, "commit", "-qm", "first");
    const scripts = join(this.folder, "scripts");
    mkdirSync(scripts);
    for (const id of tasks)
      writeFileSync(join(scripts, `${id}.json`), JSON.stringify(playedWork(id, seconds)));
    return driver;
  }

  async worker(driver: FleetMachine, name: string, options: MachineOptions = {}): Promise<FleetMachine> {
    const worker = await this.machine(name, options);
    spawnSync("git", ["clone", "-q", "--no-hardlinks", driver.root, worker.root]);
    return worker;
  }

  async end(): Promise<void> {
    for (const machine of this.machines) {
      machine.mend();
      machine.signalAll("SIGCONT");
    }
    await Promise.all(this.machines.map(async (machine) => machine.end()));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

export function git(root: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  return spawnSync("git", ["-C", root, ...identity, ...args], { encoding: "utf8" }).stdout;
}
