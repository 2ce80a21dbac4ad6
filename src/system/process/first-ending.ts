import type { ChildProcess } from "node:child_process";

export type Ending =
  | { readonly type: "exited"; readonly code: number }
  | { readonly type: "signalled"; readonly signal: string }
  | { readonly type: "timed-out"; readonly limitMs: number }
  | { readonly type: "not-started"; readonly message: string }
  | { readonly type: "aborted" };

export interface EndingLimits {
  /** null: no limit. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal | undefined;
}

export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** All the ways a command can end, as one race. */
export function firstEnding(child: ChildProcess, { timeoutMs, signal }: EndingLimits): Promise<Ending> {
  return new Promise<Ending>((resolve) => {
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(
            () => settle({ type: "timed-out", limitMs: timeoutMs }),
            Math.min(timeoutMs, LONGEST_TIMER_MS),
          );
    const onAbort = (): void => settle({ type: "aborted" });
    function settle(ending: Ending): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(ending);
    }
    signal?.addEventListener("abort", onAbort);
    child.once("error", (error) => settle({ type: "not-started", message: error.message }));
    child.once("exit", (code, signal) =>
      settle(signal === null ? { type: "exited", code: code ?? 1 } : { type: "signalled", signal }),
    );
  });
}
