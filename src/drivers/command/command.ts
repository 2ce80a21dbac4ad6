import type { Launch, Turn } from "../driver.ts";

/** The line as the user wrote it. Further arguments are words of their own behind it, whatever stands in them. */
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
