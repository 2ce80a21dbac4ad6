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
const NEW_FILE = "{}\n\n\n";

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

const [BEGIN, END] = [
  "# Loopwright's hooks. loop uninstall removes them.",
  "# The end of Loopwright's hooks.",
];
const OURS = new RegExp(`\\n?${BEGIN.replaceAll(".", "\\.")}\\n[\\s\\S]*?${END.replaceAll(".", "\\.")}\\n`);

/** Tables at the end of a file, between two comments: what is before them stays as it is. */
function tomlFile(id: string, events: { readonly [event: string]: EventWord }): HookFile {
  const tables = (program: Program): string =>
    [
      BEGIN,
      ...Object.entries(events).flatMap(([event, word]) => [
        "[[hooks]]",
        `event = ${JSON.stringify(event)}`,
        `command = ${JSON.stringify(commandLine(program, word, id))}`,
        `timeout = ${secondsFor(word)}`,
      ]),
      END,
      "",
    ].join("\n");
  return {
    with(text, program) {
      if (text === null) return tables(program);
      const bare = text.replace(OURS, "");
      const ours = OURS.exec(text)?.[0];
      return ours?.trimStart() === tables(program) ? text : `${bare}\n${tables(program)}`;
    },
    without(text) {
      const rest = text.replace(OURS, "");
      return rest === "" && text.startsWith(BEGIN) ? null : rest;
    },
    hookIn(text) {
      const lines = (OURS.exec(text)?.[0] ?? "")
        .split("\n")
        .map((line) => /^command = (".*")$/.exec(line)?.[1]);
      return (
        lines
          .map((line) => (line === undefined ? null : hookOf(JSON.parse(line), { id })))
          .find((hook) => hook !== null) ?? null
      );
    },
  };
}

/** Whether settings of this form switch all hooks off. */
export function areHooksOff(text: string): boolean {
  const settings = readHookSettings(text, parseWithComments);
  const config = settings["hooksConfig"] as { enabled?: unknown } | undefined;
  return settings["disableAllHooks"] === true || config?.enabled === false;
}
