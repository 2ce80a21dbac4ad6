import type { Launch, Turn } from "../driver.ts";

/** The line as the user wrote it. Extra arguments follow as separate words, whatever they contain. */
export function launchOf(line: string, turn: Turn): Launch {
  return {
    command:
      turn.args.length === 0
        ? { kind: "shell", line }
        : { kind: "argv", argv: ["/bin/sh", "-c", `${line} "$@"`, "sh", ...turn.args] },
    stdin: turn.prompt,
    env: {},
  };
}
