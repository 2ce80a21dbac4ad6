import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { EventOf, LoopEvent } from "../../src/core/events/event.ts";
import { AT_THE_BEGINNING } from "../../src/storage/journal/journal.ts";
import { readJournal } from "../../src/storage/journal/file/read.ts";
import type { ScriptedTurn } from "../../src/agents/rehearsal/script.ts";
import type { IterationRow } from "../../src/views/files/iterations.ts";
import { until } from "./patience.ts";
import { Sandbox } from "./sandbox.ts";
import type { Ran } from "./sandbox.ts";

export const CLI = resolve("dist/cli.js");

export type PlayedTurn = Partial<ScriptedTurn>;

/** Final words with a status block. */
export function saying(words: string, ...lines: readonly string[]): string {
  return `${words}\n---LOOP_STATUS---\n${lines.join("\n")}\n---END_STATUS---`;
}

export const DONE = saying("All done.", "EXIT_SIGNAL: true");

/** A turn that makes the check of `Stage.open` pass, and says so. */
export const FINISHES: PlayedTurn = { do: [{ write: "done.txt", text: "done\n" }], say: DONE, usd: 0.01 };

/** What such a check is until then: it fails, with words of its own. */
export const CHECK = "done=test -f done.txt || { echo 'done.txt is missing'; exit 1; }";

/** What it is told to show before the work. */
export const PREFLIGHT = "loop: Checks before any work:\n  ✗ done  failed with exit code 1\n";

/** A project whose loops are driven by a rehearsal. */
export class Stage extends Sandbox {
  constructor(files: { readonly [path: string]: string } = { "README.md": "A project\n" }) {
    super(files);
    this.commitAll();
  }

  /** Outside the project, so that it is no part of the tree. */
  script(turns: readonly PlayedTurn[], repeat = false): string {
    const path = join(this.home, "script.json");
    writeFileSync(path, JSON.stringify({ turns, repeat }));
    return path;
  }

  /** The command line that opens a loop and drives it through these turns. */
  opening(turns: readonly PlayedTurn[], ...args: readonly string[]): readonly string[] {
    return ["run", "Write done.txt", "-c", CHECK, "--script", this.script(turns), ...args];
  }

  run(turns: readonly PlayedTurn[], ...args: readonly string[]): Ran {
    return this.loop(...this.opening(turns, ...args));
  }

  drive(args: readonly string[], env: NodeJS.ProcessEnv = {}): Driving {
    return new Driving(process.execPath, [CLI, ...args], this.root, { ...this.env, ...env });
  }

  get id(): string {
    const [id, ...others] = readdirSync(join(this.root, ".loop", "loops"));
    if (id === undefined || others.length > 0) throw new Error("not exactly one loop");
    return id;
  }

  /** A file of the loop's own folder. */
  own(path: string): string {
    return this.read(`.loop/loops/${this.id}/${path}`);
  }

  turns(): readonly string[] {
    return readdirSync(join(this.root, ".loop", "loops", this.id, "runs"))
      .filter((name) => /^\d+-\d+$/.test(name))
      .toSorted();
  }

  prompt(turn: string): string {
    return this.own(`runs/${turn}/prompt.md`);
  }

  /** Those that count: of two that followed the same record, the journal holds both. */
  events(): readonly LoopEvent[] {
    const events: LoopEvent[] = [];
    readJournal(this.journal(this.id), AT_THE_BEGINNING, (record) => void events.push(...record.events));
    return events;
  }

  eventsOf<Type extends LoopEvent["type"]>(type: Type): readonly EventOf<Type>[] {
    return this.events().filter((event): event is EventOf<Type> => event.type === type);
  }

  rows(): readonly IterationRow[] {
    const text = this.read(".loop/iterations.jsonl");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as IterationRow);
  }

  /** A file in the sandbox's home, by which a played turn and its test wait for each other. */
  mark(name: string): string {
    return join(this.home, name);
  }

  /** A shell line that says that it is there, and goes on when the test says so. */
  meet(name: string): string {
    return `touch ${this.mark(`${name}.here`)}; until [ -e ${this.mark(`${name}.go`)} ]; do sleep 0.05; done`;
  }

  async met(name: string): Promise<void> {
    await until(() => existsSync(this.mark(`${name}.here`)), `${name} was reached`);
  }

  letGo(name: string): void {
    writeFileSync(this.mark(`${name}.go`), "");
  }
}

/** A program that runs while the test does other things. It is ended with the test. */
export class Driving {
  readonly child: ChildProcess;
  out = "";
  err = "";
  readonly #closed: Promise<number | null>;

  constructor(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    this.child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    this.child.stdin?.on("error", () => {}); // it may be gone before it has read everything
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.out += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.err += text));
    this.#closed = new Promise((done) => this.child.on("close", (code) => done(code)));
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Until it has printed this, on either stream. */
  async printed(text: string): Promise<void> {
    await until(() => this.has(text) || this.isOver, `"${text}" was printed`);
    if (!this.has(text)) throw new Error(`it ended without "${text}":\n${this.out}${this.err}`);
  }

  has(text: string): boolean {
    return this.out.includes(text) || this.err.includes(text);
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  async ended(): Promise<Ran> {
    return { code: await this.#closed, out: this.out, err: this.err };
  }
}
