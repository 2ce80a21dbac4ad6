import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setUp } from "../changes.ts";
import { writes } from "../script.ts";
import type { Edit, Script } from "../script.ts";
import type { Assignment } from "../task.ts";
import { must, start } from "./process.ts";
import type { Ran } from "./process.ts";
import type { Workspace } from "./workspace.ts";

const AGENT = resolve("arena/agent.mjs");
const CLI = resolve("dist/cli.js");
const HOOK = resolve("dist/hook.js");

const IGNORED = ["node_modules/", "dist/", ".cache/", "__pycache__/", ".pytest_cache/", "target/", "*.o"];

/** A committed project, a home and an environment of its own, and an agent with its script. */
export interface World {
  readonly root: string;
  /** The agent's command line. */
  readonly agent: string;
  readonly check: () => Promise<Ran>;
  /** The agent's next turn; the variables are those of its session. */
  readonly turn: (session?: NodeJS.ProcessEnv) => Promise<void>;
  readonly loop: (...words: readonly string[]) => Promise<Ran>;
  readonly hook: (word: string, payload: object) => Promise<Ran>;
  readonly turnsPlayed: () => number;
  /** How long the agent itself was at work. */
  readonly agentMs: () => number;
  readonly close: () => void;
}

export async function createWorld(workspace: Workspace, task: Assignment, script: Script): Promise<World> {
  const folder = mkdtempSync(join(workspace.folder, `${task.name.replace(/[^\w-]+/g, "-")}-`));
  const root = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Agent\n\temail = agent@example.invalid\n");
  const env = { PATH: workspace.path(task.ecosystem), HOME: home, XDG_STATE_HOME: join(home, "state") };
  const here = { cwd: root, env };

  const play = async (path: string, variables: NodeJS.ProcessEnv = {}): Promise<void> =>
    void (await must([process.execPath, AGENT, path], { cwd: root, env: { ...env, ...variables } }));
  const save = (name: string, turns: readonly object[]): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ turns }));
    return path;
  };

  const modules = workspace.modules(task.ecosystem);
  // Not linked: a link made or removed by another play would change the file's times in this one.
  if (modules !== null)
    cpSync(modules, join(root, "node_modules"), { recursive: true, verbatimSymlinks: true });
  const opening: readonly Edit[] = [
    ...writes(task.project),
    { write: ".gitignore", text: `${IGNORED.join("\n")}\n` },
    ...(script.opening ?? []),
    ...setUp(task),
  ];
  await play(save("opening.json", [{ edits: opening, says: "" }]));
  age(root, opening);
  await must(["git", "init", "-q", "-b", "main"], here);
  await must(["git", "add", "-A"], here);
  await must(["git", "commit", "-qm", "Begin"], here);

  const turns = save("script.json", script.turns);
  const log = (): readonly number[] => {
    try {
      return readFileSync(`${turns}.log`, "utf8").trim().split("\n").map(Number);
    } catch {
      return []; // no turn was played
    }
  };
  return {
    root,
    agent: `'${process.execPath}' '${AGENT}' '${turns}'`,
    check: () => start(["/bin/sh", "-c", script.check ?? task.check], here),
    turn: (session) => play(turns, session),
    loop: (...words) => start([process.execPath, CLI, ...words], here),
    hook: (word, payload) =>
      start([process.execPath, HOOK, word, "--host", "claude-code"], {
        ...here,
        input: JSON.stringify(payload),
      }),
    turnsPlayed: () => log().length,
    agentMs: () => log().reduce((sum, each) => sum + each, 0),
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Written an hour ago: a cache that goes by whole seconds, like Python's, must not take the agent's work for what was there. */
function age(root: string, opening: readonly Edit[]): void {
  const then = Date.now() / 1_000 - 3_600;
  for (const edit of opening) if ("write" in edit) utimesSync(join(root, edit.write), then, then);
}
