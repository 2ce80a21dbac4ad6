import type { CommandOptions } from "../process/run-command.ts";
import { systemProgram, type Namespaces } from "./holder.ts";

type CommandLine = CommandOptions["command"];

/**
 * Turns a command into one that runs in namespaces we hold open. A missing program then ends with 127, as in a shell.
 */
export function insideNamespaces(
  namespaces: Namespaces,
  hold: (name: "user" | "mnt" | "pid") => number,
): (command: CommandLine, cwd: string) => CommandLine {
  const of = (name: "user" | "mnt" | "pid"): string => `/proc/${process.pid}/fd/${hold(name)}`;
  const enter = [
    systemProgram("nsenter"),
    `--mount=${of("mnt")}`,
    ...(namespaces.pid ? [`--pid=${of("pid")}`] : []),
    ...(namespaces.user ? [`--user=${of("user")}`, "--preserve-credentials"] : []),
  ];
  // Mounting needs root in there. Another namespace inside makes us a normal user again, without permission to read everything.
  const ourselves = namespaces.user
    ? [
        systemProgram("unshare"),
        `--map-user=${process.getuid?.()}`,
        `--map-group=${process.getgid?.()}`,
        "--",
      ]
    : [];
  return (command, cwd) => {
    const words = [...enter, `--wdns=${cwd}`, "--", ...ourselves] as const;
    const [first = "", ...others] = words;
    if (command.kind === "argv") return { kind: "argv", argv: [first, ...others, ...command.argv] };
    const line = [...words, "/bin/sh", "-c", command.line].map(quoted).join(" ");
    return { ...command, line: `exec ${line}` };
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
