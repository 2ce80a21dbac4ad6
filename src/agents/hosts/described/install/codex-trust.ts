import { createHash } from "node:crypto";
import { parseWithComments, readHookSettings } from "../../install/hook-groups.ts";

/**
 * Codex runs a hook only if its user has trusted it as it is, and skips it without a word otherwise. It keeps a digest of each
 * trusted hook in its `config.toml`, under the hook's file, event and place. Codex owns this format: when it is read wrongly,
 * `loop doctor` warns of hooks that run.
 */
export function untrustedEvents(
  path: string,
  settings: string,
  config: string,
  isOurs: (command: unknown) => boolean,
): readonly string[] {
  return Object.entries(readHookSettings(settings, parseWithComments).hooks).flatMap(([event, groups]) =>
    groups.flatMap((group, at) =>
      group.hooks.flatMap((entry, index) => {
        const hook = entry as TrustedPart;
        if (!isOurs(hook.command)) return [];
        const key = `${path}:${snakeCase(event)}:${at}:${index}`;
        return isTrusted(config, key, digestOf(event, hook)) ? [] : [event];
      }),
    ),
  );
}

interface TrustedPart {
  readonly command: string;
  readonly timeout?: number;
}

/** What Codex takes the digest of: keys in order, without blanks. */
function digestOf(event: string, { command, timeout = 600 }: TrustedPart): string {
  // It gives the end of a session three seconds at most.
  const seconds = event === "SessionEnd" ? Math.min(Math.max(timeout, 1), 3) : timeout;
  const hooks = [{ async: false, command, timeout: seconds, type: "command" }];
  const text = JSON.stringify({ event_name: snakeCase(event), hooks });
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

/** Whether the digest follows the key before another key does. The rest of the file doesn't matter. */
function isTrusted(config: string, key: string, digest: string): boolean {
  const places = [JSON.stringify(key), `'${key}'`]
    .map((quoted) => config.indexOf(quoted))
    .filter((at) => at !== -1);
  return places.some((at) => {
    const rest = config.slice(at + key.length + 2);
    const [own = ""] = rest.split(/^\s*(?:\[|["'].*:\d+:\d+["'])/m, 1);
    return own.includes(digest) && !/\benabled\s*=\s*false/.test(own);
  });
}
