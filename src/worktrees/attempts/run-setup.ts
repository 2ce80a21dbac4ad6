import type { CommandLine } from "../../core/loop/criterion.ts";
import type { CommandOptions, CommandOutcome, Ending } from "../../system/process/run-command.ts";

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

const TAIL_CHARACTERS = 2_000;

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
      const outputTail = ended.output.trimEnd().slice(-TAIL_CHARACTERS);
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
