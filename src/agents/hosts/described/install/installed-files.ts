import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Extras, Program, Scope } from "../../install/installer.ts";
import type { HostDescription } from "../description.ts";
import { hookFileOf } from "./hook-files.ts";
import { mcpFileOf, type McpFile } from "./mcp-file.ts";
import { MCP_SERVERS } from "./mcp-servers.ts";

/** A file in the client's folder with something of ours. null: there is no such file. */
interface InstalledFile {
  readonly path: string;
  with(text: string | null, program: Program, extras: Extras): string | null;
  /** The same bytes as before. */
  without(text: string): string | null;
}

/** Everything that an installation writes, each file once. */
export function installedFiles(host: HostDescription, scope: Scope): readonly InstalledFile[] {
  const { hooks, skills } = host.install;
  const mcp = MCP_SERVERS[host.id];
  const hookFile = hookFileOf(host);
  const hooked: InstalledFile = {
    path: hooks.file,
    with: (text, program) => hookFile.with(text, program),
    without: (text) => hookFile.without(text),
  };
  const skill = { path: join(skills, "loop", "SKILL.md"), ...SKILL };
  // A project's servers would run for everybody who trusts its folder, from a path of this machine.
  if (mcp === undefined || scope !== "user") return [hooked, skill];
  const server: InstalledFile = { path: mcp.file, ...servedBy(mcpFileOf(mcp)) };
  return mcp.file === hooks.file ? [both(hooked, server), skill] : [hooked, server, skill];
}

function both(one: InstalledFile, other: InstalledFile): InstalledFile {
  return {
    path: one.path,
    with: (text, program, extras) => other.with(one.with(text, program, extras), program, extras),
    without(text) {
      const rest = other.without(text);
      return rest === null ? null : one.without(rest);
    },
  };
}

/** Once there, our server stays until it is taken out. A file that we can't read doesn't have it. */
function servedBy(file: McpFile): Omit<InstalledFile, "path"> {
  const has = (text: string | null): boolean => {
    try {
      return text !== null && file.has(text);
    } catch {
      return false;
    }
  };
  return {
    with: (text, program, { mcp }) => (mcp || has(text) ? file.with(text, program) : text),
    without: (text) => (has(text) ? file.without(text) : text),
  };
}

const OUR_SKILL = "<!-- Written by loop install; loop uninstall removes it. -->";

const SKILL: Omit<InstalledFile, "path"> = {
  with: (text, { hook }) =>
    text === null || text.includes(OUR_SKILL) ? readFileSync(join(dirname(hook), "skill.md"), "utf8") : text,
  without: (text) => (text.includes(OUR_SKILL) ? null : text),
};
