import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export const SCOPES = ["user", "project", "local"] as const;

/** Whose settings: the user's in every project, the project's, or the user's in this project. */
export type Scope = (typeof SCOPES)[number];

/** Adds our hooks to a host's settings and removes them. It only plans; the plan is shown before it is written. */
export interface Installer {
  /** The host's id. */
  readonly id: string;
  /** Whether `Extras.mcp` is for it. */
  readonly offersMcp: boolean;
  /** The lines with which its user adds the MCP tools by hand; none: unknown. */
  mcpByHand(program: Program): readonly string[];
  /** What an installation would change. */
  planInstall(around: Surroundings, scope: Scope, program: Program, extras?: Extras): Planned;
  /** What a removal would change, in one file or in every file with our hooks. */
  planUninstall(around: Surroundings, scope: Scope | null): Planned;
  /** Where our hooks are now. Two copies decide each stop twice. */
  findCopies(around: Surroundings): readonly Copy[];
}

/** What may be installed beside the hooks. */
export interface Extras {
  /** The agent's commands as MCP tools. */
  readonly mcp: boolean;
}

/** What settings start; null: unknown. */
export interface Started {
  readonly hook: string | null;
  /** With which node. */
  readonly node: string | null;
}

export interface Copy extends Started {
  /** `the plugin loop@loopwright`, or a settings file. */
  readonly where: string;
  /** The command that removes it. */
  readonly removal: string;
  /** The settings that keep the host from calling it; null: none do. */
  readonly silencedBy: string | null;
  /** Why the host skips it until its user does something, and what; left out if it doesn't. */
  readonly untrusted?: { readonly why: string; readonly remedy: string };
}

/** The environment that decides which files are meant. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Where node and the built hook lie, absolute. */
export interface Program {
  readonly node: string;
  readonly hook: string;
}

/** One file before and after; null: it doesn't exist. */
export interface SettingsChange {
  readonly path: string;
  readonly scope: Scope;
  readonly before: string | null;
  readonly after: string | null;
  /** The client's own folder, which stays when the last file in it goes. */
  readonly folder?: string;
}

/** What an installation consists of. */
export type Part = "hooks" | "skill" | "MCP tools";

export type Planned =
  | {
      readonly type: "changes";
      readonly changes: readonly SettingsChange[];
      /** What comes into the files, or goes out of them. */
      readonly parts: readonly Part[];
      /** What its user should know before they agree. */
      readonly notices: readonly string[];
      /** What they should know or do once it is written. */
      readonly afterwards: readonly string[];
    }
  /** One sentence: why not, and what to do. */
  | { readonly type: "refused"; readonly why: string };

/** Why settings cannot point to this program, in one sentence: it runs at every stop for months, from its current path. */
export function unfitProgram({ hook }: Program): string | null {
  if (!existsSync(hook)) return `${hook} does not exist; build it with: npm run build`;
  if (/[\\/]_npx[\\/]/.test(hook))
    return "This is npx's temporary copy of loop; install it with npm install -g loopwright, then try again.";
  return null;
}

/** The root of the worktree, which is where an agent is usually started. */
export function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
