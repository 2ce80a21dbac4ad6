import type { Host } from "./host.ts";

export const REPLY_FORMS = ["decision", "ok", "exit2"] as const;

/**
 * The form of a verdict: `decision` is what today's host reads; `ok` and `exit2` are what older hooks of this kind replied, for
 * tools that still read them.
 */
export type ReplyForm = (typeof REPLY_FORMS)[number];

/** What we say to a host, whatever the form. */
export type Reply =
  | { readonly type: "silence" }
  /** The agent keeps working. `line` is the reason in one line. */
  | { readonly type: "hold"; readonly reason: string; readonly line: string }
  /** A message for the user, not for the model. */
  | { readonly type: "message"; readonly text: string }
  /** A message about a completion. Older hooks reported only one that the agent's marker announced. */
  | { readonly type: "completion"; readonly text: string; readonly byMarker: boolean }
  /** What the agent may do now. `why` is for the person who is asked. */
  | { readonly type: "permission"; readonly decision: "allow" | "ask"; readonly why: string }
  /** The user need not be asked about what they were about to be. */
  | { readonly type: "consent" }
  /** A message for the model at the start of a session or beside a prompt, and optionally one for the user. */
  | {
      readonly type: "announcement";
      /** Left out at the start of a session. */
      readonly at?: "prompt";
      readonly text: string;
      readonly toUser: string | null;
    };

/** What a host has a form for. */
export type HostReply = Exclude<Reply, { type: "completion" }>;

export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** To be called once the host has taken it. */
  readonly delivered?: () => void;
}

export const NO_REPLY: Reply = { type: "silence" };

export const SILENCE: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

export function answerWith(json: object): HookAnswer {
  return { ...SILENCE, stdout: JSON.stringify(json) };
}

export function renderReply(reply: Reply, host: Host, form: ReplyForm): HookAnswer {
  switch (form) {
    case "decision":
      return host.render(reply.type === "completion" ? { type: "message", text: reply.text } : reply);
    case "ok":
      if (reply.type === "hold") return answerWith({ ok: false, reason: reply.line });
      return answerWith(
        reply.type === "completion" && reply.byMarker ? { ok: true, reason: "complete" } : { ok: true },
      );
    case "exit2":
      if (reply.type === "hold") return { ...host.render(reply), stderr: reply.reason, exitCode: 2 };
      return reply.type === "message" ? { ...SILENCE, stderr: reply.text } : SILENCE;
  }
}
