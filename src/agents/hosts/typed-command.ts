import type { TypedCommand } from "./host-event.ts";
import type { Host } from "./host.ts";

/** One of our commands as a user types it: in the session, otherwise in a terminal. */
export function typedAs({ commandPrefix }: Pick<Host, "commandPrefix">, command: string): string {
  return `${commandPrefix ?? "loop "}${command}`;
}

/** Advice such as `resume it with: loop continue`, as the user of a session types it: the agent may not run it. */
export function adviceIn(text: string, host: Pick<Host, "commandPrefix">): string {
  return text.replaceAll(/(?<=: )loop (continue|pause|cancel)\b/g, (_, command: string) =>
    typedAs(host, command),
  );
}

/** The command that a prompt consists of; null: it isn't one of ours. */
export function commandIn(prompt: string, prefix: string): TypedCommand | null {
  const words = prompt.trimStart();
  const match = words.startsWith(prefix)
    ? /^([a-z]+)(?:\s+([\s\S]*))?$/.exec(words.slice(prefix.length))
    : null;
  return match?.[1] === undefined ? null : { command: match[1], args: (match[2] ?? "").trim() };
}

/** What the user types before a command where the client has no commands of ours: it takes `/` for itself. */
export const TYPED_PREFIX = "loop:";

/** Where a client expands a command of ours, what follows the words that were typed begins with this line. */
const EXPLANATION = /^\[loop\]/m;

/** Typed as it is, or with the client's own `/` before it, and perhaps expanded behind it. */
export function typedCommandIn(prompt: string): TypedCommand | null {
  const words = prompt.trimStart().replace(/^\//, "");
  const [typed = ""] = words.split(EXPLANATION, 1);
  return commandIn(typed, TYPED_PREFIX);
}

/** A plain "no". */
export function isDeclining(prompt: string): boolean {
  return /^\s*no?[.!]?\s*$/i.test(prompt);
}
