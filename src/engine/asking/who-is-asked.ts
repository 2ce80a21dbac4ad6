import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Driver } from "../../agents/drivers/driver.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { driverOf } from "../run/agents.ts";
import type { Purpose, Question } from "../../core/questions/question.ts";

export interface AskedAgent {
  readonly choice: AgentChoice;
  readonly driver: Driver;
}

const REVIEWS: ReadonlySet<Purpose> = new Set<Purpose>(["light-review", "thorough-review"]);

/** The agent that works, or for a review the one that was named for it; or why nobody can be asked. */
export function whoIsAsked(
  choice: AgentChoice,
  question: Pick<Question<unknown>, "id" | "purpose">,
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
  question: Pick<Question<unknown>, "id" | "purpose">,
): string | null {
  if (driver !== "rehearsal" || script === null) return script;
  return (
    namesOf(question)
      .map((name) => join(script, name))
      .find((path) => existsSync(path)) ?? null
  );
}

/** A rehearsal has a script for a question, or one for all of its purpose. */
function namesOf({ id, purpose }: Pick<Question<unknown>, "id" | "purpose">): readonly string[] {
  return [...new Set([id, purpose])].map((name) => `${name}.json`);
}
