import { topFrame } from "../../core/loop/loop.ts";
import type { LearningKind } from "../../core/loop/recall.ts";
import type { Known, Learning, Mark } from "./learning.ts";
import {
  knownLearnings,
  learn,
  learningsElsewhere,
  markLearning,
  prune,
  projectPath,
} from "./learnings-file.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import { openLoopOfSession } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingCallerLocation } from "../../storage/home/project.ts";
import { expectPerson } from "../lifecycle/expect-person.ts";

/** A person knows; an agent believes. */
const SAID = { person: 0.9, agent: 0.6 } as const;

/** Keeps what somebody says. An agent's word counts less, whatever it says of itself. */
export async function learnText(
  machine: Machine,
  {
    text,
    kind,
    confidence,
  }: { readonly text: string; readonly kind: LearningKind; readonly confidence?: number | undefined },
): Promise<Learning> {
  const caller = callerNow(machine);
  const loop =
    caller.kind === "agent" && caller.session !== null
      ? await openLoopOfSession(machine, caller.session)
      : null;
  const context = loop === null ? "" : topFrame(loop.live.loop).spec;
  const most = SAID[caller.kind];
  const sure = caller.kind === "person" ? (confidence ?? most) : Math.min(confidence ?? most, most);
  const [learned] = learn(machine, here(machine), [{ kind, context, text, confidence: sure }], null);
  if (learned === undefined) throw new Error("what was just learned is not known");
  return learned;
}

export function learningsHere(machine: Machine): Known {
  return knownLearnings(machine, here(machine));
}

/** Those of all other projects of this machine. */
export function learningsOfOthers(machine: Machine): readonly Learning[] {
  return learningsElsewhere(machine, here(machine));
}

/** What a person says of learnings, for this project, in one command; each as it was named there. */
export async function markHere(
  machine: Machine,
  marks: readonly { readonly named: string; readonly learning: Learning; readonly mark: Mark }[],
  command: string,
): Promise<void> {
  const flags = marks.map(({ named, mark }) => `--${FLAGS[mark]}=${named}`);
  await expectPerson(machine, command, null, flags);
  for (const { learning, mark } of marks) markLearning(machine, here(machine), learning, mark);
}

const FLAGS = { confirmed: "confirm", dismissed: "dismiss", forgotten: "forget" } as const;

/** Returns how many went. */
export async function pruneHere(machine: Machine): Promise<number> {
  await expectPerson(machine, "learn", null, ["--prune"]);
  return prune(machine, here(machine));
}

function here({ cwd }: Machine): string {
  return projectPath(openingCallerLocation(cwd).project.root);
}
