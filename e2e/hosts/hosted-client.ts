import type { Move, ScriptedModel } from "../agents/agent.ts";

/** A real client whose agent is held from inside, headless, and how it is brought to talk to a scripted model and to nobody else. */
export interface HostedClient {
  /** As in `loop install ID`. */
  readonly id: string;
  /** Folder to put on PATH, so that the client's program is found under its usual name. */
  readonly bin: string;
  /** Its own folder in the home, where the settings are. */
  readonly folder: string;
  startModel(moves: readonly Move[]): Promise<ScriptedModel>;
  /** Variables of an environment built from nothing, beside PATH and HOME; may write configuration into `home`. */
  environment(home: string, model: ScriptedModel): { readonly [name: string]: string };
  /** The client on one prompt, allowed to do everything; in a conversation that there was, or a new one. */
  command(prompt: string, conversation: string | null): readonly string[];
  /** After `loop install`: what its user has to do once. */
  afterInstall?(world: {
    readonly home: string;
    readonly env: NodeJS.ProcessEnv;
    readonly project: string;
  }): Promise<void>;
  /** Whether a prompt of its user comes to a hook without a terminal, and is tested here. */
  readonly takesPrompts: boolean;
  /** Whether a file of its folder is a record of what it did, and no settings. */
  isOwnRecord(path: string): boolean;
  /** The settings with the time it gives a hook, and how they say so. */
  readonly hookLimit: { readonly file: string; readonly written: (seconds: number) => string };
  /** How often it lets a hook hold one prompt; null: as often as needed. */
  readonly mostHolds: number | null;
  /** How it is used in a terminal; left out: it can't be started in one here. */
  readonly inTerminal?: InTerminal;
}

export interface InTerminal {
  /** Without a prompt, allowed to do everything. */
  readonly command: readonly string[];
  /** What is on the screen when it waits for a prompt. */
  readonly ready: RegExp;
  /** What it asks a new user before that, and the keys that answer. */
  readonly asks: readonly { readonly question: RegExp; readonly keys: readonly string[] }[];
  /** What of ours its user sees: why the agent is held, and how the loop ended. */
  readonly shows: readonly ("hold" | "end")[];
}
