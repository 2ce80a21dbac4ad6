import type { LoopEvent } from "../core/event.ts";
import { parseSessionId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import { isEnded } from "../core/loop.ts";
import { loadLoop, transact } from "../loops/loop-store.ts";
import type { RunContext } from "./run-context.ts";

/** Appends what `decide` makes of the loop as it stands now. */
export async function record(
  { machine, project, loop: id }: Pick<RunContext, "machine" | "project" | "loop">,
  decide: (loop: Loop) => readonly LoopEvent[],
): Promise<Loop> {
  const { standing } = await transact(loadLoop(project, id), machine.now, (loop) => ({
    events: decide(loop),
    result: undefined,
  }));
  return standing.loop;
}

/** An agent has one conversation a turn, or a few; one that names ever new ones is not followed. */
const MOST_CONVERSATIONS = 10;

/** What the agent calls its conversation is known from then on, also if nobody sees the end of the turn. */
export function recordConversations(context: RunContext): {
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

export async function recordConversation(context: RunContext, id: string): Promise<void> {
  const conversation = parseSessionId(id);
  if (conversation === null) return;
  await record(context, (loop) => {
    const isNews = loop.driven?.run === context.run && loop.driven.conversation?.id !== conversation;
    return isNews && !isEnded(loop) ? [{ type: "conversation.opened", conversation }] : [];
  });
}
