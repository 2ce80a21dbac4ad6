import type { Interrupts } from "../../run/interrupts.ts";
import type { EndingSignal } from "../signals.ts";
import { answerSignals } from "../signals.ts";

export interface TerminalInterrupts extends Interrupts {
  /** Aborted once it is asked for. */
  readonly first: AbortSignal;
  /** As Ctrl-C does where nothing runs that could be finished. */
  readonly interrupt: () => void;
}

/** Ctrl-C once: finish the iteration and pause. Twice, or another signal: stop now, with everything kept. */
export function interruptsOfTerminal(say: (text: string) => void): TerminalInterrupts {
  const first = new AbortController();
  const now = new AbortController();
  answerSignals((signal: EndingSignal) => {
    // Who is not at a terminal does not go away with one: that is what nohup asks for, and Node forgets.
    if (signal === "SIGHUP" && !process.stdout.isTTY && !process.stderr.isTTY) return undefined;
    // A terminal that goes away says so more than once; only a person insists.
    if (now.signal.aborted) return signal === "SIGINT" ? process.exit(130) : undefined;
    const isSecond = first.signal.aborted;
    first.abort();
    if (isSecond || signal !== "SIGINT") return now.abort();
    return say("Finishing this iteration, then pausing. Ctrl-C again stops now; nothing is lost either way.");
  });
  return {
    asked: () => first.signal.aborted,
    first: first.signal,
    now: now.signal,
    interrupt: () => first.abort(),
  };
}
