import type { TranscriptFormat } from "../cost/transcript.ts";
import type { HookInput } from "./host-event.ts";
import type { Payload } from "./payload.ts";
import type { HookAnswer, HostReply } from "./reply.ts";

/** An agent program that calls us through its hooks: how what it says is read, and how it is answered. */
export interface Host {
  /** As in `--host ID` and in a loop's binding. */
  readonly id: string;
  /** What people call it. */
  readonly title: string;
  /** How the shells of its agent show that they are its own. */
  readonly marks: readonly EnvironmentMark[];
  /** What the user types before the name of a command of ours, such as `/loop:`; null where none can be typed. */
  readonly commandPrefix: string | null;
  /** How it keeps a conversation; null where what was spent cannot be read. */
  readonly transcript: TranscriptFormat | null;
  /** Whether a line of its transcript shows the agent writing a file whose path ends so. */
  isToolWriting(line: string, name: string): boolean;
  /** Whether only this host sends such a payload. One host's settings may be read by another one. */
  recognises(payload: Payload): boolean;
  /**
   * Reads one call of a hook, and never throws. `event` is the word that our installer wrote into its settings: `stop`,
   * `session-start`, `user-prompt-submit`, `post-tool-use` and so on, which the hook's starter knows.
   */
  read(event: string, payload: Payload, env: NodeJS.ProcessEnv): HookInput;
  /** The reply in the host's own form. */
  render(reply: HostReply): HookAnswer;
}

export interface EnvironmentMark {
  /** A variable that is set, to something else than 0. */
  readonly mark: string;
  /** The variable with the session's id. */
  readonly session?: string;
}
