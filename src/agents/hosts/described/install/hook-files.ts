import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  entriesIn,
  parseWithComments,
  readHookSettings,
  withEntries,
  withoutEntries,
} from "../../install/hook-groups.ts";
import type { Program, Started } from "../../install/installer.ts";
import { SettingsError } from "../../install/settings-file.ts";
import type { EventWord, HooksDescription, HostDescription } from "../description.ts";
import { commandLine, programOf, secondsFor } from "./hook-commands.ts";
import { tomlBlock } from "./toml-block.ts";

/** How our hooks get into a file of the client and out of it again. null: there is no such file. */
export interface HookFile {
  with(text: string | null, program: Program): string;
  /** The same bytes as before. */
  without(text: string): string | null;
  /** What is started at a stop; null: ours isn't in it. */
  programIn(text: string): Started | null;
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

function groupsFile(id: string, hooks: HooksDescription & { readonly form: "groups" }): HookFile {
  const isOurs = (entry: unknown): boolean =>
    programOf((entry as { command?: unknown } | null)?.command, { id }) !== null;
  return {
    with: (text, program) =>
      withEntries(
        text,
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
    without: (text) => withoutEntries(text, isOurs, parseWithComments),
    programIn: (text) =>
      entriesIn(text, parseWithComments)
        .map((entry) => programOf((entry as { command?: unknown } | null)?.command, { id }))
        .find((program) => program !== null) ?? null,
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

/** How the bridge begins. */
const OUR_BRIDGE = "// Loopwright's hooks ";

/** All of the file is ours. One that isn't stays as it is. */
function ownFile(id: string, textFor: (program: Program) => string): HookFile {
  const programIn = (text: string): Started | null => {
    if (text.startsWith(OUR_BRIDGE)) return programOfBridge(text);
    const lines = text.split("\n").map((line) => /^\s*"bash": (".*"),$/.exec(line)?.[1]);
    return (
      lines
        .map((line) => (line === undefined ? null : programOf(unquoted(line), { id })))
        .find((program) => program !== null) ?? null
    );
  };
  return {
    with(text, program) {
      if (text !== null && programIn(text) === null)
        throw new SettingsError("loop did not write it, and would replace it", { remedy: "move it away" });
      return textFor(program);
    },
    without: (text) => (programIn(text) === null ? text : null),
    programIn,
  };
}

/** The plugin has to run wherever the client's own program finds it, so it is one file that imports nothing of ours. */
function bridgeText(kind: string, { node, hook }: Program): string {
  const bridge = readFileSync(join(dirname(hook), "bridge.js"), "utf8");
  return `${bridge}\nexport default loopFor(${JSON.stringify(kind)}, { node: ${JSON.stringify(node)}, hook: ${JSON.stringify(hook)} });\n`;
}

const LAST_LINE =
  /\nexport default loopFor\("[\w-]+", \{ node: ("(?:[^"\\]|\\.)*"), hook: ("(?:[^"\\]|\\.)*") \}\);\n$/;

function programOfBridge(text: string): Started | null {
  const [, node, hook] = LAST_LINE.exec(text) ?? [];
  return node === undefined || hook === undefined ? null : { node: unquoted(node), hook: unquoted(hook) };
}

function tomlFile(id: string, events: { readonly [event: string]: EventWord }): HookFile {
  const programOfTable = (table: readonly string[]): Started | null => {
    const command = table.map((line) => /^command = (["'].*["'])\s*$/.exec(line)?.[1]).find(Boolean) ?? "";
    return programOf(unquoted(command), { id });
  };
  const block = tomlBlock(
    "hooks",
    (table) => table[0]?.trim() === "[[hooks]]" && programOfTable(table) !== null,
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
    programIn: (text) => programOfTable(block.linesIn(text)),
  };
}

/** A string of TOML or JSON, as a client writes it; null: it isn't one. */
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
