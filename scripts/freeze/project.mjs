import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 60_000;

/** A project in a folder of its own, and a program that works in it, in an environment from nothing. */
export class Project {
  constructor(folder, program) {
    this.root = join(folder, "project");
    this.home = join(folder, "home");
    this.program = program;
    this.env = {
      PATH: `${join(this.home, "bin")}:${process.env.PATH}`,
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, "state"),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Test",
      GIT_AUTHOR_EMAIL: "test@example.invalid",
      GIT_COMMITTER_NAME: "Test",
      GIT_COMMITTER_EMAIL: "test@example.invalid",
    };
    mkdirSync(this.home, { recursive: true });
    this.write({ "README.md": "A project\n" });
    for (const words of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "start"],
    ]) {
      if (spawnSync("git", words, { cwd: this.root, env: this.env }).status !== 0)
        throw new Error(`git ${words.join(" ")}`);
    }
  }

  write(files) {
    for (const [path, text] of Object.entries(files)) this.keep(join(this.root, path), text);
  }

  /** Outside the project, so that it is not part of the tree. */
  keep(path, text, flag = "w") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag, mode: text.startsWith("#!") ? 0o755 : 0o644 });
    return path;
  }

  /** A command that has to end with this code. */
  loop(words, { code = 0, env = {} } = {}) {
    const ran = spawnSync(process.execPath, [join(this.program, "dist/cli.js"), ...words], {
      cwd: this.root,
      env: { ...this.env, ...env },
      input: "",
      encoding: "utf8",
    });
    if (ran.status !== code)
      throw new Error(`loop ${words.join(" ")}: ${ran.status}\n${ran.stdout}${ran.stderr}`);
  }

  /** The same by the agent of a session. */
  agentLoop(session, words, options = {}) {
    this.loop(words, { ...options, env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session } });
  }

  /** An event of a host. Whether it was held has to be as expected. */
  hook(event, session, payload = {}, { held = false, flags = [], env = {} } = {}) {
    const ran = spawnSync(process.execPath, [join(this.program, "dist/hook.js"), event, ...flags], {
      cwd: this.root,
      env: { ...this.env, ...env },
      input: JSON.stringify({ session_id: session, cwd: this.root, ...payload }),
      encoding: "utf8",
    });
    const isHeld = /"decision":"block"|"ok":false/.test(ran.stdout);
    if (isHeld !== held)
      throw new Error(`${event} was ${isHeld ? "" : "not "}held: ${ran.stdout}${ran.stderr}`);
  }

  script(turns) {
    return this.keep(join(this.home, "script.json"), JSON.stringify({ turns }));
  }

  /** A run that goes on while other things happen. `ended` is its exit code. */
  drive(words) {
    const child = spawn(process.execPath, [join(this.program, "dist/cli.js"), ...words], {
      cwd: this.root,
      env: this.env,
      stdio: "ignore",
    });
    return { child, ended: new Promise((done) => child.on("close", done)) };
  }

  /** A shell line that says that it is there, and waits to be ended. */
  get lingering() {
    return `touch ${join(this.home, "here")}; until [ -e ${join(this.home, "go")} ]; do sleep 0.1; done`;
  }

  async reached() {
    const deadline = performance.now() + PATIENCE_MS;
    while (!existsSync(join(this.home, "here"))) {
      if (performance.now() > deadline) throw new Error("the agent never came so far");
      await sleep(20);
    }
  }

  get journal() {
    const folder = join(this.root, ".loop", "loops");
    const journals = readdirSync(folder).map((id) => join(folder, id, "journal.jsonl"));
    // A plan has a loop for each of its attempts.
    const plans = journals.filter((each) => readFileSync(each, "utf8").includes('"type":"plan.adopted"'));
    const [journal, ...others] = plans.length > 0 ? plans : journals;
    if (journal === undefined || others.length > 0) throw new Error("not exactly one loop");
    return journal;
  }
}
