import type { Decided, FindingDecision } from "../../../core/questions/review/counted-findings.ts";
import { RESOLVING } from "../../../agents/hosts/shell-permission.ts";
import { openFindings } from "../../../core/stages/asking.ts";
import type { Finding } from "../../../core/stages/stages.ts";
import { UserError } from "../../../core/user-error.ts";
import { callerNow } from "../../../storage/loops/caller-now.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { expectPerson } from "../../lifecycle/expect-person.ts";
import { resolveFindings } from "../stages/settle-findings.ts";
import { sessionContext } from "./session-context.ts";

export interface Resolved {
  readonly finding: Finding;
  /** The task that puts it right; null: it stays as it is. */
  readonly task: string | null;
  /** How many are still open. */
  readonly left: number;
}

/** Settles one finding of the last review. Only a person leaves a blocker as it is. */
export async function resolveFinding(
  machine: Machine,
  chosen: KnownLoop,
  {
    id,
    decision,
    note,
  }: { readonly id: string; readonly decision: FindingDecision; readonly note: string | null },
): Promise<Resolved> {
  const loop = await chosen.live.refresh();
  const open = openFindings(loop);
  const finding = open.find((each) => each.id === id.toUpperCase());
  const round = loop.stages?.reviews.at(-1)?.round;
  if (finding === undefined || round === undefined)
    throw new UserError(
      open.length === 0
        ? "No finding is open; see what was found with: loop review"
        : `"${id}" isn't an open finding; open are: ${open.map((each) => each.id).join(", ")}`,
    );
  if (finding.severity === "BLOCKER" && decision !== "fix")
    await expectTheirWord(machine, chosen, finding, decision);
  const context = sessionContext(machine, chosen, () => {});
  const by = callerNow(machine).kind;
  const after = await resolveFindings(context, round, open, [decidedOn(finding, decision, note, by)]);
  if (after === null) throw new UserError("Nothing was recorded: the loop is no longer this session's.");
  const settled = after.stages?.reviews.at(-1)?.resolved.find((each) => each.finding === finding.id);
  return { finding, task: settled?.task ?? null, left: openFindings(after).length };
}

/** In a session, the user's word is what they allowed when they were asked about this very command. */
async function expectTheirWord(
  machine: Machine,
  chosen: KnownLoop,
  { id }: Finding,
  decision: FindingDecision,
): Promise<void> {
  const allowed = await expectPerson(machine, RESOLVING, chosen);
  if (allowed !== null && !allowed.toUpperCase().startsWith(`${id} ${decision}`.toUpperCase()))
    throw new UserError(`The user allowed another answer (${allowed}); ask them about ${id}.`);
}

function decidedOn(
  { id, refused }: Finding,
  decision: FindingDecision,
  note: string | null,
  by: Decided["by"],
): Decided {
  switch (decision) {
    case "fix":
      return { finding: id, how: note === null ? "task" : "discussed", note, by };
    case "accept":
      return { finding: id, how: "approved", note: null, by };
    case "dismiss":
      return { finding: id, how: refused === null ? "skipped" : "refused", note: null, by };
  }
}
