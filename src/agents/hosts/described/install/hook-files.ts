import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  entriesIn,
  parseWithComments,
  readHookSettings,
  withEntries,
  withoutEntries,
} from "../../install/hook-groups.ts";
import type { Program } from "../../install/installer.ts";
import type { EventWord, HooksDescription, HostDescription } from "../description.ts";
import { commandLine, hookOf, secondsFor } from "./hook-commands.ts";
import { tomlBlock } from "./toml-block.ts";

/** How our hooks get into a file of the client and out of it again. null: there is no such file. */
export interface HookFile {
  with(text: string | null, program: Program): string;
  /** The same bytes as before. */
  without(text: string): string | null;
  /** The hook that is called at a stop; null: ours isn't in it. */
  hookIn(text: string): string | null;
}

export function hookFileOf({ id, install: { hooks } }: HostDescription): HookFile {
  switch (hooks.form) {
    case "groups":
      return groupsFile(id, hooks);
    case "own-file":
      return ownFile(id, (program) => `${JSON.stringify(ownHooks(id, hooks.events, program), null, 2)}\n`);
    case "bridge":
      return ownFile(id, (program) => bridgeText(hooks.kind, program));
    case "toml":
      return tomlFile(id, hooks.events);
  }
}

/** A file that begins with this was made by us, and goes when nothing else is in it: nobody ends a file with two empty lines. */
export const NEW_FILE = "{}\n\n\n";

function groupsFile(id: string, hooks: HooksDescription & { readonly form: "groups" }): HookFile {
  const isOurs = (entry: unknown): boolean =>
    hookOf((entry as { command?: unknown } | null)?.command, { id }) !== null;
  return {
    with: (text, program) =>
      withEntries(
        text ?? NEW_FILE,
        new Map(
          Object.entries(hooks.events).map(([event, word]) => [
            event,
            {
              type: "command",
              ...(hooks.named === true ? { name: `loop-${word}` } : {}),
              command: commandLine(program, word, id),
              timeout: secondsFor(word) * (hooks.unit === "ms" ? 1000 : 1),
            },
          ]),
        ),
        isOurs,
        parseWithComments,
      ),
    without(text) {
      const rest = withoutEntries(text, isOurs, parseWithComments);
      return rest === NEW_FILE ? null : rest;
    },
    hookIn: (text) =>
      entriesIn(text, parseWithComments)
        .map((entry) => hookOf((entry as { command?: unknown } | null)?.command, { id }))
        .find((hook) => hook !== null) ?? null,
  };
}

function ownHooks(id: string, events: { readonly [event: string]: EventWord }, program: Program): object {
  const entries = Object.entries(events).map(([event, word]) => {
    const [bash, powershell] = (["linux", "win32"] as const).map((platform) =>
      commandLine(program, word, id, platform),
    );
    return [event, [{ type: "command", bash, powershell: `& ${powershell}`, timeoutSec: secondsFor(word) }]];
  });
  return { version: 1, hooks: Object.fromEntries(entries) as object };
}

/** All of the file is ours. */
function ownFile(id: string, textFor: (program: Program) => string): HookFile {
  const hookIn = (text: string): string | null => {
    const [, path] = /"((?:[^"\\]|\\.)*hook\.js)"/.exec(text) ?? [];
    if (path !== undefined) return JSON.parse(`"${path}"`) as string;
    const lines = text.split("\n").map((line) => /^\s*"bash": (".*"),$/.exec(line)?.[1]);
    return (
      lines
        .map((line) => (line === undefined ? null : hookOf(JSON.parse(line), { id })))
        .find((hook) => hook !== null) ?? null
    );
  };
  return {
    with: (_, program) => textFor(program),
    without: (text) => (hookIn(text) === null ? text : null),
    hookIn,
  };
}

/** The plugin has to run wherever the client's own program finds it, so it is one file that imports nothing of ours. */
function bridgeText(kind: string, { node, hook }: Program): string {
  const bridge = readFileSync(join(dirname(hook), "bridge.js"), "utf8");
  return `${bridge}\nexport default loopFor(${JSON.stringify(kind)}, { node: ${JSON.stringify(node)}, hook: ${JSON.stringify(hook)} });\n`;
}

function tomlFile(id: string, events: { readonly [event: string]: EventWord }): HookFile {
  const hookOfTable = (table: readonly string[]): string | null => {
    const command = table.map((line) => /^command = (["'].*["'])\s*$/.exec(line)?.[1]).find(Boolean) ?? "";
    return hookOf(unquoted(command), { id });
  };
  const block = tomlBlock(
    "hooks",
    (table) => table[0]?.trim() === "[[hooks]]" && hookOfTable(table) !== null,
  );
  const tables = (program: Program): readonly string[] =>
    Object.entries(events).flatMap(([event, word]) => [
      "[[hooks]]",
      `event = ${JSON.stringify(event)}`,
      `command = ${JSON.stringify(commandLine(program, word, id))}`,
      `timeout = ${secondsFor(word)}`,
    ]);
  return {
    with: (text, program) => block.with(text, tables(program)),
    without: (text) => block.without(text),
    hookIn: (text) => hookOfTable(block.linesIn(text)),
  };
}

/** A string of TOML, as a client writes it. */
function unquoted(text: string): string | null {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether settings of this form switch all hooks off. */
export function areHooksOff(text: string): boolean {
  const settings = readHookSettings(text, parseWithComments);
  const config = settings["hooksConfig"] as { enabled?: unknown } | undefined;
  return settings["disableAllHooks"] === true || config?.enabled === false;
}
