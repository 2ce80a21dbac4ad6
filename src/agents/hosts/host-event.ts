import type { SessionId } from "../../core/loop/id.ts";
import type { BackgroundWork } from "./background-work.ts";

/** A call of a hook, in our own terms. */
export interface HookInput {
  /** null: the host named no valid session. */
  readonly session: SessionId | null;
  /** The folder the session works in; null if the host doesn't say. */
  readonly folder: string | null;
  readonly transcriptPath: string | null;
  readonly event: HostEvent;
}

/** What happened in a session. */
export type HostEvent =
  | HostStop
  /** A session starts, resumes or was compacted. `envFile`: what is exported there, its agent's shells get. */
  | { readonly type: "session-started"; readonly envFile: string | null }
  /** Its user left it, or cleared the conversation. */
  | { readonly type: "session-ended" }
  /** A prompt begins a turn. `typed` is one of our commands, if the user typed it; `declines`: it is a plain "no". */
  | {
      readonly type: "prompted";
      /** All of it, to tell our own hold, which some hosts report as a prompt; null: unknown. */
      readonly text: string | null;
      readonly typed: TypedCommand | null;
      readonly declines: boolean;
      readonly promptId: string | null;
    }
  /** One of our commands, typed by the user and reported by the host outside a prompt. */
  | { readonly type: "typed"; readonly typed: TypedCommand; readonly promptId: string | null }
  /** The agent wants to run a shell line, and the host asks what it may. */
  | {
      readonly type: "shell-asked";
      readonly line: string;
      readonly personPresent: boolean;
      /** A subagent of the session's own asks. */
      readonly isSubagent: boolean;
    }
  /** The host is about to ask its user whether the agent may run a shell line. */
  | { readonly type: "user-to-be-asked"; readonly line: string }
  | { readonly type: "tool-used"; readonly use: ToolUse }
  | { readonly type: "compacting" }
  /** The user changed settings of the host, which has yet to take them. */
  | { readonly type: "settings-changed"; readonly file: string | null }
  /** A turn ended without a stop because the model could not be asked. */
  | { readonly type: "troubled"; readonly trouble: ApiTrouble }
  /** Nothing to do: it doesn't concern a loop, or a later version sent it. */
  | { readonly type: "other" };

export interface HostStop {
  readonly type: "stopped";
  readonly kind: "end-of-turn" | "subagent" | "plan-mode";
  /** The agent's last message; null if it had none. */
  readonly message: string | null;
  readonly background: BackgroundWork;
  /** The host says that this stop follows a hold of ours, without a prompt in between. */
  readonly continuesHold: boolean;
  readonly personPresent: boolean;
  /** The host overrides holds after this many in a row without a tool call; null if it never does. */
  readonly holdCap: number | null;
  /** The host overrides holds after so many of one prompt; null if it never does. */
  readonly promptCap: PromptCap | null;
}

/** How often a host lets a hook hold one prompt, whatever its agent does in between. */
export interface PromptCap {
  readonly most: number;
  /** What its user can do to be held more often, to follow "raise it:"; null: nothing. */
  readonly raise: string | null;
}

/** One of our commands, typed by the user in the session: `/loop:continue --budget=25`. */
export interface TypedCommand {
  readonly command: string;
  readonly args: string;
}

/** What a finished tool call says about the work. */
export type ToolUse =
  | { readonly type: "used"; readonly tool: string }
  | { readonly type: "edited"; readonly path: string }
  | { readonly type: "failed"; readonly failure: string };

/** What an API error means for a loop. */
export type ApiTrouble =
  /** Over when the session works again. */
  | { readonly type: "usage-limit"; readonly detail: string | null }
  /** Needs a person: a login, a payment, a permission. */
  | { readonly type: "needs-person"; readonly detail: string }
  /** Passes by itself, or says nothing about the loop. */
  | { readonly type: "passing"; readonly what: string };
