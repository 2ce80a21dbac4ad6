import { parseSessionId } from "../core/id.ts";
import { isEnded } from "../core/loop.ts";
import type { RunContext } from "./run-context.ts";

type Conversing = Pick<RunContext, "live" | "run">;

/** An agent has one conversation a turn, or a few; one that names ever new ones is not followed. */
const MOST_CONVERSATIONS = 10;

/** What the agent calls its conversation is known from then on, also if nobody sees the end of the turn. */
export function recordConversations(context: Conversing): {
  readonly named: (id: string) => void;
  /** Rejects with the first error, which nobody waited for when it came. */
  readonly recorded: () => Promise<void>;
} {
  const failures: unknown[] = [];
  let last: string | null = null;
  let count = 0;
  let done: Promise<unknown> = Promise.resolve();
  return {
    named: (id) => {
      if (id === last || count >= MOST_CONVERSATIONS) return;
      last = id;
      count += 1;
      done = done.then(() => recordConversation(context, id)).catch((error) => failures.push(error));
    },
    recorded: async () => {
      await done;
      if (failures.length > 0) throw failures[0];
    },
  };
}

export async function recordConversation(context: Conversing, id: string): Promise<void> {
  const conversation = parseSessionId(id);
  if (conversation === null) return;
  await context.live.record((loop) => {
    const isNews = loop.driven?.run === context.run && loop.driven.conversation?.id !== conversation;
    return isNews && !isEnded(loop) ? [{ type: "conversation.opened", conversation }] : [];
  });
}
