import type { TranscriptFormat } from "../../cost/transcript.ts";
import type { EnvironmentMark } from "../host.ts";
import type { PromptCap } from "../host-event.ts";
import type { Payload } from "../payload.ts";

/**
 * Everything a host differs in. A new host is one of these and a line in `descriptions.ts`. What isn't said here is as
 * Claude Code has it: the names in a payload, and `{"decision":"block"}` to hold.
 */
export interface HostDescription {
  readonly id: string;
  /** What people call it. */
  readonly title: string;
  /** Names of its program, and of the packages that an interpreter runs. */
  readonly programs: readonly string[];
  readonly packages: readonly string[];
  /** Variables in its agent's shells. Without a session's id there, `loop` goes by the process above that is the client. */
  readonly marks: readonly EnvironmentMark[];
  /** Whether only this host sends such a payload. */
  recognises(payload: Payload): boolean;
  /** What a person typed; null: this prompt is the client's own. Left out: `prompt`. */
  typedIn?(payload: Payload): string | null;
  /** The agent's last message. Left out: `last_assistant_message`. */
  messageIn?(payload: Payload): string | null;
  /** Whether the message is only in the transcript, or is longer in the payload than what was said last. */
  readonly messageInTranscript?: true;
  /** The file from which its agent's shells take variables, at the start of a session. */
  envFileIn?(payload: Payload): string | null;
  /** How it stores a conversation; null: unknown, so nothing is charged. */
  readonly transcript: TranscriptFormat | null;
  /** Modes in which the agent plans and changes nothing. */
  readonly planModes: readonly string[];
  /** How often it lets a hook hold one prompt; null: as often as needed. */
  promptCap(env: NodeJS.ProcessEnv): PromptCap | null;
  /** How a hold is said. */
  readonly hold: "decision" | "exit2";
  /** Where a reply has its words for the model: as Claude Code, or at the top. */
  readonly context: "nested" | "top";
  readonly install: InstallDescription;
}

/** Where a client reads its hooks, and in which form. */
interface InstallDescription {
  /** Its own folder in the user's home, the variable that moves it, and the one that names another home. */
  readonly folder: string;
  readonly variable?: string;
  readonly homeVariable?: string;
  /** Its folder in a project; null: there are no hooks of a project. */
  readonly projectFolder: string | null;
  readonly hooks: HooksDescription;
  /** Where it looks for skills, in the same folder. */
  readonly skills: string;
  /** The file in which it keeps which hooks its user trusts, in the same folder. */
  readonly trustFile?: string;
  /** What its user has to know or do once they are installed. */
  readonly notices: readonly string[];
}

export type HooksDescription =
  /** `hooks`, an event, its groups: Claude Code's form. */
  | (HookEvents<"groups"> & { readonly unit: "s" | "ms"; readonly named?: true })
  /** A file of our own, with `bash`, `powershell` and `timeoutSec`. */
  | HookEvents<"own-file">
  /** `[[hooks]]` in TOML. */
  | HookEvents<"toml">
  /** A plugin in JavaScript that calls the hook. */
  | { readonly form: "bridge"; readonly file: string; readonly kind: "opencode" | "pi" | "oh-my-pi" };

interface HookEvents<Form extends string> {
  readonly form: Form;
  readonly file: string;
  /** Its names of events, and ours. */
  readonly events: { readonly [event: string]: EventWord };
}

/** The words that the hook's starter knows. */
export type EventWord = "stop" | "session-start" | "session-end" | "user-prompt-submit";
