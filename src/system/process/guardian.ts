import type { ChildProcess } from "node:child_process";
import { parse } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withoutRunMark } from "./run-mark.ts";
import { startCommand } from "./start-command.ts";

/** A helper process that ends what a run started if we are killed and cannot do it ourselves. */
export interface Guardian {
  /** Reports the leader of a new group; the returned function reports that the group is gone. */
  readonly guard: (groupLeader: number) => () => void;
  /** Dismisses it and resolves when it is gone. Leaves what the run started alone. */
  readonly dismiss: () => Promise<void>;
}

export interface GuardianOptions {
  /** Starts a program that calls `watchOver` with the run's id, which is its last argument. Paths are absolute. */
  readonly program: readonly string[];
  readonly runId: string;
}

const PATIENCE_MS = 5_000;
const NO_GUARDIAN: Guardian = { guard: () => () => {}, dismiss: async () => {} };

/** If the guardian cannot be started, we continue without it: it only matters if we are killed. */
export function startGuardian({ program, runId }: GuardianOptions): Guardian {
  const [file = "", ...args] = program;
  const child = startCommand(
    { kind: "argv", argv: [file, ...args, runId] },
    {
      // It must not keep a folder open that the run wants to remove.
      cwd: parse(process.execPath).root,
      // It must not be among the processes it ends.
      env: withoutRunMark(process.env),
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  return "message" in child ? NO_GUARDIAN : guardianIn(child);
}

function guardianIn(child: ChildProcess): Guardian {
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const { stdin } = child;
  if (child.pid === undefined || stdin === null) return NO_GUARDIAN;
  stdin.on("error", () => {}); // It was killed: from here on the run goes on without.
  child.unref();

  return {
    guard(groupLeader) {
      stdin.write(`+${groupLeader}\n`);
      return () => stdin.write(`-${groupLeader}\n`);
    },
    async dismiss() {
      child.ref();
      stdin.end("bye\n");
      const waiting = new AbortController();
      const late = sleep(PATIENCE_MS, true, { signal: waiting.signal }).catch(() => false);
      if (await Promise.race([gone.then(() => false), late])) child.kill("SIGKILL");
      waiting.abort();
      await gone;
    },
  };
}
