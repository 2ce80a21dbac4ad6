import { parseSessionId } from "../../core/loop/id.ts";
import { isEnded } from "../../core/loop/loop.ts";
import type { RunContext } from "./run-context.ts";

type Conversing = Pick<RunContext, "live" | "run">;

/** An agent has one or a few conversations per turn; beyond this, new ones are ignored. */
const MOST_CONVERSATIONS = 10;

/** Records the agent's name for its conversation right away, so it is known even if nobody sees the end of the turn. */
export function recordConversations(context: Conversing): {
  readonly named: (id: string) => void;
  /** Rejects with the first error of the background writes. */
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
