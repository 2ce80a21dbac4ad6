export const SCOPES = ["user", "project", "local"] as const;

/** Whose settings: the user's in every project, the project's, or the user's in this project. */
export type Scope = (typeof SCOPES)[number];

/** Puts our hooks into a host's settings, and takes them out. It only plans; what it planned is shown before it is written. */
export interface Installer {
  /** The host's id. */
  readonly id: string;
  /** What an installation would change. */
  planInstall(around: Surroundings, scope: Scope, program: Program): Planned;
  /** What a removal would change: in one file, or in every one that has hooks of ours. */
  planUninstall(around: Surroundings, scope: Scope | null): Planned;
  /** Where hooks of ours are now. Two copies decide each stop twice. */
  findCopies(around: Surroundings): readonly Copy[];
}

export interface Copy {
  /** `the plugin loop@loopwright`, or a settings file. */
  readonly where: string;
  /** What takes it away. */
  readonly removal: string;
}

/** The outside, as far as it decides which files are meant. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Where node and the built hook lie, absolute. */
export interface Program {
  readonly node: string;
  readonly hook: string;
}

/** One file as it is and as it would be; null: it is not there. */
export interface SettingsChange {
  readonly path: string;
  readonly scope: Scope;
  readonly before: string | null;
  readonly after: string;
}

export type Planned =
  | {
      readonly type: "changes";
      readonly changes: readonly SettingsChange[];
      readonly notices: readonly string[];
    }
  /** One sentence: why not, and what to do. */
  | { readonly type: "refused"; readonly why: string };
