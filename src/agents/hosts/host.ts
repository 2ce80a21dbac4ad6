import type { TranscriptFormat } from "../cost/transcript.ts";
import type { HookInput } from "./host-event.ts";
import type { Payload } from "./payload.ts";
import type { HookAnswer, HostReply } from "./reply.ts";

/** An agent program that calls us through its hooks: how to read its calls, and how to reply. */
export interface Host {
  /** As in `--host ID` and in a loop's binding. */
  readonly id: string;
  /** What people call it. */
  readonly title: string;
  /** How to recognize the shells of its agent. */
  readonly marks: readonly EnvironmentMark[];
  /** Names of its program, and of the packages that an interpreter runs. */
  readonly programs: readonly string[];
  readonly packages: readonly string[];
  /** What the user types before the name of our commands, such as `/loop:`; null if they cannot be typed. */
  readonly commandPrefix: string | null;
  /** Whether the host tells its agent what such a command means; otherwise we do. */
  readonly expandsCommands: boolean;
  /** Whether the agent's last message has to be looked for in the transcript. */
  readonly isMessageInTranscript: boolean;
  /** Whether it reports each tool call to us. */
  readonly reportsTools: boolean;
  /** How it stores a conversation; null if the spending cannot be read. */
  readonly transcript: TranscriptFormat | null;
  /** Whether a person is there who sees what its agent says, and can answer. */
  isAttended(env: NodeJS.ProcessEnv): boolean;
  /** Whether a line of its transcript shows the agent writing a file with this path ending. */
  isToolWriting(line: string, name: string): boolean;
  /** Whether only this host sends such a payload. One host may read another host's settings. */
  recognises(payload: Payload): boolean;
  /**
   * Reads one call of a hook. Never throws. `event` is the word our installer wrote into its settings: `stop`, `session-start`,
   * `user-prompt-submit`, `post-tool-use` and so on, which the hook's starter knows.
   */
  read(event: string, payload: Payload, env: NodeJS.ProcessEnv): HookInput;
  /** Whether settings with this text keep the host from calling our hooks. */
  silencesHooks(settings: string): boolean;
  /** The reply in the host's own form. */
  render(reply: HostReply): HookAnswer;
}

export interface EnvironmentMark {
  /** A variable that is set to something other than 0. */
  readonly mark: string;
  /** The variable with the session's id. */
  readonly session?: string;
  /** One that its hooks have, and its agent's shells don't. */
  readonly hooksOnly?: string;
}
