import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Extras, Part, Program, Scope } from "../../install/installer.ts";
import type { HostDescription } from "../description.ts";
import { hookFileOf } from "./hook-files.ts";
import { mcpFileOf, type McpFile } from "./mcp-file.ts";
import { MCP_SERVERS } from "./mcp-servers.ts";

/** A part of an installation in a file. null: there is no such file. */
interface InstalledPart {
  readonly part: Part;
  with(text: string | null, program: Program, extras: Extras): string | null;
  /** The same bytes as before. */
  without(text: string): string | null;
}

/** A file in the client's folder with something of ours. */
interface InstalledFile {
  readonly path: string;
  /** In the order in which they come in. */
  readonly parts: readonly InstalledPart[];
}

/** Everything that an installation writes, each file once. */
export function installedFiles(host: HostDescription, scope: Scope): readonly InstalledFile[] {
  const { hooks, skills } = host.install;
  const mcp = MCP_SERVERS[host.id];
  const hookFile = hookFileOf(host);
  const hooked: InstalledPart = {
    part: "hooks",
    with: (text, program) => hookFile.with(text, program),
    without: (text) => hookFile.without(text),
  };
  const skill = { path: join(skills, "loop", "SKILL.md"), parts: [SKILL] };
  // A project's servers would run for everybody who trusts its folder, from a path of this machine.
  if (mcp === undefined || scope !== "user") return [{ path: hooks.file, parts: [hooked] }, skill];
  const server = servedBy(mcpFileOf(mcp));
  return mcp.file === hooks.file
    ? [{ path: hooks.file, parts: [hooked, server] }, skill]
    : [{ path: hooks.file, parts: [hooked] }, { path: mcp.file, parts: [server] }, skill];
}

/** Once there, our server stays until it is taken out. A file that we can't read doesn't have it. */
function servedBy(file: McpFile): InstalledPart {
  const has = (text: string | null): boolean => {
    try {
      return text !== null && file.has(text);
    } catch {
      return false;
    }
  };
  return {
    part: "MCP tools",
    with: (text, program, { mcp }) => (mcp || has(text) ? file.with(text, program) : text),
    without: (text) => (has(text) ? file.without(text) : text),
  };
}

const OUR_SKILL = "<!-- Written by loop install; loop uninstall removes it. -->";

const SKILL: InstalledPart = {
  part: "skill",
  with: (text, { hook }) =>
    text === null || text.includes(OUR_SKILL) ? readFileSync(join(dirname(hook), "skill.md"), "utf8") : text,
  without: (text) => (text.includes(OUR_SKILL) ? null : text),
};
