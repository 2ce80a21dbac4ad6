import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Driver } from "../../agents/drivers/driver.ts";
import { driverOf, type AgentChoice } from "../run/agent-choice.ts";
import type { Purpose, Question } from "../../core/questions/question.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { createScratch, removeScratch, roomsFolder } from "../../system/room/scratch.ts";
import { addPatiently } from "../../worktrees/attempts/add-worktree.ts";
import { readingName } from "../../worktrees/attempts/list-worktrees.ts";
import { readMarker, type WorktreeName } from "../../worktrees/attempts/marker.ts";
import { throwAway } from "../../worktrees/attempts/remove-worktree.ts";
import type { Trouble } from "../../core/stop/trouble.ts";
import { durationText } from "../../system/text/quantities.ts";

export interface AskedAgent {
  readonly choice: AgentChoice;
  readonly driver: Driver;
}

const REVIEWS: ReadonlySet<Purpose> = new Set<Purpose>(["light-review", "thorough-review"]);

/** The agent that works, or for a review the one that was named for it; or why nobody can be asked. */
export function whoIsAsked(
  choice: AgentChoice,
  question: Pick<Question<unknown>, "id" | "panel" | "purpose">,
  cli: string,
): AskedAgent | { readonly why: string } {
  const chosen = choiceFor(choice, question.purpose);
  const script = scriptFor(chosen, question);
  if (chosen.driver === "rehearsal" && script === null)
    return { why: `the rehearsal has no ${namesOf(question).join(" or ")}` };
  const asked = { ...chosen, script };
  const driver = driverOf(asked, cli);
  return driver.canBeAsked ? { choice: asked, driver } : { why: `${driver.title} can't be held to reading` };
}

function choiceFor(choice: AgentChoice, purpose: Purpose): AgentChoice {
  const reviewer = REVIEWS.has(purpose) ? (choice.reviewer ?? null) : null;
  if (reviewer === null) return choice;
  if (reviewer.driver === choice.driver) return { ...choice, model: reviewer.model ?? choice.model };
  // What was meant for one agent is nothing to another.
  return {
    ...choice,
    driver: reviewer.driver,
    model: reviewer.model,
    args: [],
    allow: [],
    permissionMode: null,
  };
}

function scriptFor(
  { driver, script }: AgentChoice,
  question: Pick<Question<unknown>, "id" | "panel" | "purpose">,
): string | null {
  if (driver !== "rehearsal" || script === null) return script;
  return (
    namesOf(question)
      .map((name) => join(script, name))
      .find((path) => existsSync(path)) ?? null
  );
}

/** A rehearsal has a script for a question, or one for all of its purpose. */
function namesOf({
  id,
  panel = id,
  purpose,
}: Pick<Question<unknown>, "id" | "panel" | "purpose">): readonly string[] {
  return [...new Set([id, panel, purpose])].map((name) => `${name}.json`);
}

/** Where an agent reads while it answers. Whatever it writes there is thrown away. */
export interface ReadingPlace {
  readonly path: string;
  readonly leave: () => Promise<void>;
}

interface WantedPlace {
  readonly stateHome: string;
  readonly root: string;
  readonly loop: LoopId;
  readonly question: string;
  /** null: an empty folder. */
  readonly commit: string | null;
}

/** A worktree at the commit, or an empty folder where there is none; or why the files can't be shown. */
export async function openReadingPlace(
  wanted: WantedPlace,
): Promise<ReadingPlace | { readonly why: string }> {
  const { commit } = wanted;
  if (commit === null) return emptyPlace(wanted);
  const which = worktreeOf(wanted);
  // An earlier process was killed here.
  if (readMarker(which) !== null) await throwAway(which);
  const added = await addPatiently({ ...which, commit });
  switch (added.type) {
    case "there":
      return { path: added.path, leave: async () => void (await throwAway(which)) };
    case "no-repository":
      return emptyPlace(wanted);
    case "no-commit":
      return { why: `the commit ${commit.slice(0, 12)} is no longer in the repository` };
    case "in-the-way":
      return { why: `something else is at ${added.path}` };
    case "failed":
      return { why: `no worktree can be made (${added.why})` };
  }
}

export function worktreeOf({ stateHome, root, loop, question }: Omit<WantedPlace, "commit">): WorktreeName {
  return { stateHome, root, loop, name: readingName(question) };
}

async function emptyPlace({ stateHome }: WantedPlace): Promise<ReadingPlace> {
  const path = await createScratch(roomsFolder(stateHome));
  return { path, leave: async () => removeScratch(path) };
}

export const STOPPED = "it was stopped";

interface AnswerWatch {
  readonly signal: AbortSignal;
  readonly costs: (usd: number) => void;
  readonly cause: () => Trouble | null;
  readonly stop: () => void;
}

/** What ends a turn from outside: whoever asked, the time, the money. */
export function watchAnswer(asker: AbortSignal, timeLimitMs: number, budgetUsd: number | null): AnswerWatch {
  const controller = new AbortController();
  let first: Trouble | null = null;
  const end = (cause: Trouble): void => {
    first ??= cause;
    controller.abort();
  };
  const onStop = (): void => end({ kind: "interrupted", detail: STOPPED });
  if (asker.aborted) onStop();
  asker.addEventListener("abort", onStop);
  const detail = `there was no answer within ${durationText(timeLimitMs)}`;
  const timer = setTimeout(() => end({ kind: "interrupted", detail }), timeLimitMs);
  return {
    signal: controller.signal,
    costs: (usd) => {
      if (budgetUsd !== null && usd > budgetUsd)
        end({ kind: "budget", detail: "the budget was used up in the middle of the answer" });
    },
    cause: () => first,
    stop: () => {
      clearTimeout(timer);
      asker.removeEventListener("abort", onStop);
    },
  };
}
