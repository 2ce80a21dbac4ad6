import type { Interrupts } from "../../../engine/run/run-context.ts";
import type { EndingSignal } from "../signals.ts";
import { answerSignals, INTERRUPTED } from "../signals.ts";

export interface TerminalInterrupts extends Interrupts {
  /** Aborted once the user asks for it. */
  readonly first: AbortSignal;
  /** What Ctrl-C does when nothing is running that could be finished. */
  readonly interrupt: () => void;
}

/** Ctrl-C once: finish the iteration and pause. Twice, or another signal: stop now, with everything kept. */
export function interruptsOfTerminal(say: (text: string) => void): TerminalInterrupts {
  const first = new AbortController();
  const now = new AbortController();
  answerSignals((signal: EndingSignal) => {
    // Without a terminal, a hangup doesn't end the run: that is what nohup asks for, and Node resets it.
    if (signal === "SIGHUP" && !process.stdout.isTTY && !process.stderr.isTTY) return undefined;
    // A closing terminal sends its signal more than once; only a repeated Ctrl-C is a person insisting.
    if (now.signal.aborted) return signal === "SIGINT" ? process.exit(INTERRUPTED) : undefined;
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
