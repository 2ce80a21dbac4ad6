import { spawn, spawnSync } from "node:child_process";

/** Why there is no pseudo-terminal to test with; null where there is one. */
export function missingPty(): string | null {
  if (process.platform !== "linux") return "no script(1) of util-linux here";
  return spawnSync("script", ["--version"]).status === 0 ? null : "script(1) is not installed";
}

export interface OnTerminal {
  /** Everything that the program wrote so far. */
  readonly text: () => string;
  /** Resolves when that matches, and fails when the program ends before. */
  readonly until: (pattern: RegExp) => Promise<void>;
  readonly type: (keys: string) => void;
  readonly ended: Promise<number | null>;
}

/** Runs a program before a terminal of 80 columns and 24 rows, as script(1) gives it one. */
export function onTerminal(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): OnTerminal {
  const line = `stty cols 80 rows 24; exec ${command.map(quoted).join(" ")}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    ...options,
    env: { SHELL: "/bin/sh", TERM: "xterm", ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let text = "";
  let isOver = false;
  const waiting = new Set<() => void>();
  const news = (): void => {
    for (const look of [...waiting]) look();
  };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    news();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      isOver = true;
      news();
      resolve(code);
    });
  });
  return {
    text: () => text,
    until: async (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(text) && !isOver) return;
          waiting.delete(look);
          if (pattern.test(text)) resolve();
          else reject(new Error(`ended without ${String(pattern)}:\n${text}`));
        };
        waiting.add(look);
        look();
      }),
    type: (keys) => void child.stdin.write(keys),
    ended,
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
