import { isRepeatable } from "../../core/loop/criterion.ts";
import { isActiveFor, topFrame } from "../../core/loop/loop.ts";
import type { Said } from "../../core/stop/facts.ts";
import { markTold } from "../../storage/home/approval-marks.ts";
import { followEntries } from "../../storage/loops/journal-entries.ts";
import { decideStop } from "../stop/decide-stop.ts";
import type { RunContext } from "./run-context.ts";
import { ownLoop, untilStopped } from "./take-over.ts";

/** The agent claimed it before it was stopped for what its user has approved since. */
const CLAIM: Said = { claims: [{ type: "exit", source: "command" }], marker: true, signals: [] };

/**
 * If a person has approved what the last claim was held for, and every check passes, that claim is judged before anybody is paid for
 * another turn. If it doesn't hold, the turns go on as usual.
 */
export async function judgeAsApproved(context: RunContext): Promise<void> {
  const { machine, live, run } = context;
  const { exitRule, criteria } = topFrame(live.loop);
  const isPassing = criteria.filter(isRepeatable).every(({ evidence }) => evidence?.passed === true);
  if (!isActiveFor(live.loop, run) || exitRule === "signal" || !isPassing) return;
  if (!(await isApprovedSinceTurn(context))) return;
  const judged = await untilStopped(context, async (signal) =>
    decideStop(
      machine,
      ownLoop(context),
      {
        session: run,
        stop: "end-of-turn",
        continuesHold: true,
        personPresent: false,
        said: CLAIM,
        toolUses: null,
        edits: [],
        holdCap: null,
      },
      { transcript: null },
      { hookTimeout: null, signal },
    ),
  );
  if (judged === null) return;
  // A run tells its own endings.
  markTold({ home: machine.home, root: live.project.root, loop: live.id });
  context.tell({ type: "judged", verdict: judged.verdict, loop: live.loop });
}

async function isApprovedSinceTurn({ live }: RunContext): Promise<boolean> {
  const entries = await followEntries(live.journal)();
  const last = entries.findLast(
    ({ event: { type } }) =>
      type === "turn.ended" || type === "opening.approved" || type === "protection.approved",
  );
  return last !== undefined && last.event.type !== "turn.ended";
}
