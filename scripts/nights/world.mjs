// A machine with a state home and projects of its own, on which the built program runs for real. Only the agents are scripted.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const CLI = resolve("dist/cli.js");

export const claim = (text) => `${text}\n\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---`;
export const report = (text) => `${text}\n\n---LOOP_STATUS---\nEXIT_SIGNAL: false\n---END_STATUS---`;
export const turn = (usd, acts, say, more = {}) => ({
  do: [{ wait: 200 }, ...acts],
  say,
  usd,
  tokens: { input: 9_000, output: 400 },
  ...more,
});

export class World {
  /** `clock`: variables that make time pass as it should. */
  constructor(folder, clock = {}) {
    mkdirSync(folder, { recursive: true });
    this.folder = realpathSync(folder);
    this.env = {
      PATH: process.env.PATH,
      HOME: join(this.folder, "home"),
      XDG_STATE_HOME: join(this.folder, "home", "state"),
      NO_COLOR: "1",
      LOOP_HEADLESS: "true",
      ...clock,
    };
    mkdirSync(this.env.HOME, { recursive: true });
    this.started = [];
  }

  /** A project with these files, committed. */
  project(name, files) {
    const root = join(this.folder, "code", name);
    this.write(root, files);
    const git = (...args) =>
      execFileSync("git", ["-c", "user.name=Sam", "-c", "user.email=sam@example.invalid", ...args], {
        cwd: root,
        env: this.env,
      });
    git("-c", "init.defaultBranch=main", "init", "--quiet");
    git("config", "user.name", "Sam");
    git("config", "user.email", "sam@example.invalid");
    git("add", "--all");
    git("commit", "--quiet", "--message", "As it was");
    return root;
  }

  write(root, files) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }

  /** Plays a script, or a folder of them for a plan. */
  script(name, script) {
    const path = join(this.folder, "scripts", name);
    if (Array.isArray(script))
      this.write(dirname(path), { [`${name}.json`]: JSON.stringify({ turns: script }) });
    else
      for (const [file, turns] of Object.entries(script))
        this.write(path, { [`${file}.json`]: JSON.stringify({ turns }) });
    return Array.isArray(script) ? `${path}.json` : path;
  }

  /** Ends with the program; its code is not an error, since most nights have trouble in them. */
  async loop(root, args, { env = {}, input = "ignore" } = {}) {
    return new Promise((done) => {
      const child = spawn(process.execPath, [CLI, ...args], {
        cwd: root,
        env: { ...this.env, ...env },
        stdio: [input, "pipe", "pipe"],
      });
      let text = "";
      child.stdout.on("data", (chunk) => (text += chunk));
      child.stderr.on("data", (chunk) => (text += chunk));
      child.on("close", (code) => done({ code, text }));
    });
  }

  /** Goes on until it is killed. */
  start(root, args) {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: root,
      env: this.env,
      stdio: "ignore",
      detached: true,
    });
    this.started.push(child);
    return child;
  }

  async kill(child) {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
    await new Promise((done) =>
      child.exitCode === null && child.signalCode === null ? child.on("exit", done) : done(),
    );
  }

  async end() {
    for (const child of this.started) await this.kill(child);
  }
}
