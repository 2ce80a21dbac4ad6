import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type {
  Copy,
  Extras,
  Installer,
  Part,
  Planned,
  Program,
  Scope,
  SettingsChange,
  Surroundings,
} from "../../install/installer.ts";
import { projectRoot, unfitProgram } from "../../install/installer.ts";
import { inFile, readIfThere, sentenceFor } from "../../install/settings-file.ts";
import type { HostDescription } from "../description.ts";
import { untrustedEvents } from "./codex-trust.ts";
import { programOf } from "./hook-commands.ts";
import { areHooksOff, hookFileOf } from "./hook-files.ts";
import { installedFiles } from "./installed-files.ts";
import { mcpByHand } from "./mcp-file.ts";
import { MCP_SERVERS } from "./mcp-servers.ts";

/** The installer of a host that a description is of. */
export function describedInstaller(host: HostDescription): Installer {
  const file = hookFileOf(host);
  const { hooks, notices } = host.install;
  const mcp = MCP_SERVERS[host.id];

  function planInstall(
    around: Surroundings,
    scope: Scope,
    program: Program,
    extras: Extras = { mcp: false },
  ): Planned {
    try {
      const folder = folderOf(host, around, scope);
      const why =
        unfitProgram(program) ?? (folder === null ? noSuchScope(host, scope) : elsewhere(around, scope));
      if (why !== null || folder === null) return { type: "refused", why: why ?? "" };
      if (extras.mcp && (mcp === undefined || scope !== "user")) return { type: "refused", why: noMcp(host) };
      const path = join(folder, hooks.file);
      const written = installedFiles(host, scope).map((each) =>
        changed(join(folder, each.path), scope, folder, each.parts, (part, text) =>
          part.with(text, program, extras),
        ),
      );
      return {
        ...planned(written),
        notices: offNotice(path),
        afterwards: [...trustNotice(around, folder, path, written[0]?.change.after ?? null), ...notices],
      };
    } catch (error) {
      return { type: "refused", why: sentenceFor(error) };
    }
  }

  /** Two copies would decide each stop twice. */
  function elsewhere(around: Surroundings, scope: Scope): string | null {
    const other = copiesOf(around).find((copy) => copy.scope !== scope);
    return other === undefined
      ? null
      : `${other.where} already has loop's hooks; to move them, first run: ${other.removal}`;
  }

  function planUninstall(around: Surroundings, scope: Scope | null): Planned {
    try {
      const scopes = scope === null ? SCOPES_THERE : [scope];
      const written = scopes.flatMap((each) => {
        const folder = folderOf(host, around, each);
        if (folder === null) return [];
        return installedFiles(host, each).map(({ path, parts }) =>
          changed(join(folder, path), each, folder, parts.toReversed(), (part, text) =>
            text === null ? null : part.without(text),
          ),
        );
      });
      return { ...planned(written), notices: [], afterwards: [] };
    } catch (error) {
      return { type: "refused", why: sentenceFor(error) };
    }
  }

  function copiesOf(around: Surroundings): readonly (Copy & { readonly scope: Scope })[] {
    return SCOPES_THERE.flatMap((scope) => {
      const folder = folderOf(host, around, scope);
      const path = folder === null ? null : join(folder, hooks.file);
      const text = path === null ? null : understood(() => readIfThere(path));
      const program = text === null ? null : understood(() => file.programIn(text));
      if (folder === null || path === null || text === null || program === null) return [];
      const isOff = hooks.form === "groups" && understood(() => areHooksOff(text)) === true;
      const untrusted = understood(() => trustIn(around, folder, path, text)) ?? [];
      return [
        {
          scope,
          where: path,
          removal: `loop uninstall ${host.id} --scope ${scope}`,
          ...program,
          silencedBy: isOff ? path : null,
          ...(untrusted.length === 0 ? {} : { untrusted: untrustedIn(host, untrusted) }),
        },
      ];
    });
  }

  /** The events whose hook the client skips. Its user's folder has the answer for every scope. */
  function trustIn(around: Surroundings, folder: string, path: string, text: string): readonly string[] {
    const { trustFile } = host.install;
    if (trustFile === undefined) return [];
    const config = readIfThere(join(folderOf(host, around, "user") ?? folder, trustFile)) ?? "";
    return untrustedEvents(path, text, config, (command) => programOf(command, host) !== null);
  }

  /** `text` is what the settings will be: a hook that changes is trusted no more. */
  function trustNotice(
    around: Surroundings,
    folder: string,
    path: string,
    text: string | null,
  ): readonly string[] {
    if (text === null || host.install.trustFile === undefined) return [];
    if (understood(() => trustIn(around, folder, path, text))?.length === 0) return [];
    return [`${host.title} skips hooks that you have not trusted, without a word. ${TRUST_IT}`];
  }

  function offNotice(path: string): readonly string[] {
    const text = readIfThere(path);
    const isOff = hooks.form === "groups" && text !== null && understood(() => areHooksOff(text)) === true;
    return isOff ? [`${path} switches all hooks off, so ${host.title} won't call these.`] : [];
  }

  /** The lines for the user's own folder, wherever that is. */
  function byHand(program: Program): readonly string[] {
    if (mcp === undefined) return [];
    const where = `# ${host.title}, in ~/${host.install.folder}/${mcp.file}, or: loop install ${host.id} --mcp`;
    return [where, ...mcpByHand(mcp, program)];
  }

  return {
    id: host.id,
    offersMcp: mcp !== undefined,
    mcpByHand: byHand,
    planInstall,
    planUninstall,
    findCopies: copiesOf,
  };
}

const SCOPES_THERE = ["user", "project"] as const;
/** In the order in which they are named. */
const PARTS = ["hooks", "skill", "MCP tools"] as const satisfies readonly Part[];

const TRUST_IT = "Start codex in a terminal once, type /hooks, and trust loop's.";

function untrustedIn({ title }: HostDescription, events: readonly string[]): NonNullable<Copy["untrusted"]> {
  return {
    why: `${title} skips ${events.join(", ")} until you trust it, so no session is held`,
    remedy: TRUST_IT,
  };
}

/** null: there are no such settings. */
function folderOf(host: HostDescription, around: Surroundings, scope: Scope): string | null {
  const { install } = host;
  const { env, cwd } = around;
  if (scope === "local") return null;
  if (scope === "project") {
    const folder = install.projectFolder === null ? null : join(projectRoot(cwd), install.projectFolder);
    // In the user's home, both would be the same files.
    return folder === folderOf(host, around, "user") ? null : folder;
  }
  const named = install.variable === undefined ? undefined : env[install.variable];
  if (named !== undefined && isAbsolute(named)) return named;
  const config = env["XDG_CONFIG_HOME"];
  if (install.folder.startsWith(".config/") && config !== undefined && isAbsolute(config))
    return join(config, install.folder.slice(".config/".length));
  const home = install.homeVariable === undefined ? undefined : env[install.homeVariable];
  return join(home ?? env["HOME"] ?? homedir(), install.folder);
}

function noSuchScope({ title, install }: HostDescription, scope: Scope): string {
  const known = install.projectFolder === null ? "--scope user" : "--scope user or --scope project";
  return `${title} has no hooks of the scope ${scope} here; use ${known}.`;
}

function noMcp({ title, id }: HostDescription): string {
  if (MCP_SERVERS[id] !== undefined)
    return "MCP tools are yours in every project: use --scope user with --mcp.";
  return `loop mcp has not been tried in ${title}; add its server by hand, with the command: loop mcp`;
}

/** A file before and after, and which parts change in it. */
interface Written {
  readonly change: SettingsChange;
  readonly parts: readonly Part[];
}

function changed<Each extends { readonly part: Part }>(
  path: string,
  scope: Scope,
  folder: string,
  parts: readonly Each[],
  edit: (part: Each, text: string | null) => string | null,
): Written {
  const before = readIfThere(path);
  let after = before;
  const changing: Part[] = [];
  for (const each of parts) {
    const edited = inFile(path, () => edit(each, after));
    if (edited !== after) changing.push(each.part);
    after = edited;
  }
  return { change: { path, scope, before, after, folder }, parts: changing };
}

function planned(
  written: readonly Written[],
): Pick<Planned & { readonly type: "changes" }, "type" | "changes" | "parts"> {
  const changing = written.filter(({ change: { before, after } }) => before !== after);
  return {
    type: "changes",
    changes: changing.map(({ change }) => change),
    parts: PARTS.filter((part) => changing.some(({ parts }) => parts.includes(part))),
  };
}

function understood<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
