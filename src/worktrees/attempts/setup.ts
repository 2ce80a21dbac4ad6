import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandLine } from "../../core/loop/criterion.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import type { CommandOptions, CommandOutcome, Ending } from "../../system/process/run-command.ts";

/** A command that brings a project's dependencies into a fresh worktree. */
interface SetupStep {
  readonly command: CommandLine;
  /** The file that asks for it. */
  readonly because: string;
}

type Rule = readonly [file: string, words: readonly [string, ...string[]]];

/** Of each list the first that fits. Rust and Go fetch what they need when they build. */
const RULES: readonly (readonly Rule[])[] = [
  [
    ["pnpm-lock.yaml", ["pnpm", "install", "--frozen-lockfile"]],
    ["yarn.lock", ["yarn", "install", "--frozen-lockfile"]],
    ["bun.lock", ["bun", "install", "--frozen-lockfile"]],
    ["package-lock.json", ["npm", "ci"]],
  ],
  [
    ["uv.lock", ["uv", "sync", "--frozen"]],
    ["poetry.lock", ["poetry", "install", "--no-interaction"]],
  ],
  [["Gemfile.lock", ["bundle", "install"]]],
  [["composer.lock", ["composer", "install", "--no-interaction"]]],
];

/** What a folder's lock files ask for, as far as the program for it is installed. */
export function detectSetup(
  folder: string,
  env: NodeJS.ProcessEnv,
): { readonly steps: readonly SetupStep[]; readonly missing: readonly string[] } {
  const wanted = RULES.flatMap((rules) =>
    rules.filter(([file]) => existsSync(join(folder, file))).slice(0, 1),
  );
  const steps: SetupStep[] = [];
  const missing: string[] = [];
  for (const [because, words] of wanted) {
    const program = findOnPath(words[0], env);
    if (program === null) missing.push(words[0]);
    else steps.push({ command: { kind: "argv", argv: [program, ...inItsDialect(folder, words)] }, because });
  }
  return { steps, missing };
}

/** Later versions of yarn, known by their own settings file, have another word for it. */
function inItsDialect(
  folder: string,
  [program, ...words]: readonly [string, ...string[]],
): readonly string[] {
  const isLaterYarn = program === "yarn" && existsSync(join(folder, ".yarnrc.yml"));
  return isLaterYarn ? ["install", "--immutable"] : words;
}

export type SetupOutcome =
  | { readonly type: "ready" }
  | {
      readonly type: "failed";
      /** As it was run. */
      readonly command: string;
      /** In a few words: `exited with 1`. */
      readonly why: string;
      readonly outputTail: string;
    };

const HEAD_CHARACTERS = 800;
const TAIL_CHARACTERS = 1_200;

/** A package manager says first what is wrong, and then all that it could have been asked. */
function shortened(output: string): string {
  const text = output.trimEnd();
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  return `${text.slice(0, HEAD_CHARACTERS)}\n…\n${text.slice(-TAIL_CHARACTERS)}`;
}

/** Runs commands one after the other in a worktree's folder; the first that fails is the last. */
export async function runSetup(options: {
  readonly commands: readonly CommandLine[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly passEnv: readonly string[];
  /** For each of them. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly run: (options: CommandOptions) => Promise<CommandOutcome>;
}): Promise<SetupOutcome> {
  const { commands, folder, env, passEnv, timeoutMs, signal, run } = options;
  for (const command of commands) {
    const ended = await run({
      command,
      cwd: folder,
      env,
      passEnv,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    if (ended.ending.type !== "exited" || ended.ending.code !== 0) {
      const outputTail = shortened(ended.output);
      return { type: "failed", command: textOf(command), why: whyOf(ended.ending), outputTail };
    }
  }
  return { type: "ready" };
}

function textOf(command: CommandLine): string {
  return command.kind === "shell" ? command.line : command.argv.join(" ");
}

function whyOf(ending: Ending): string {
  switch (ending.type) {
    case "exited":
      return `exited with ${ending.code}`;
    case "signalled":
      return `ended by ${ending.signal}`;
    case "timed-out":
      return `took longer than ${Math.round(ending.limitMs / 1000)} seconds`;
    case "not-started":
      return `could not be started: ${ending.message}`;
    case "aborted":
      return "interrupted";
  }
}
