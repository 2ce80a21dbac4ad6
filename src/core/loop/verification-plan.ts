import type { Check } from "./criterion.ts";
import type { Loop, MustNot } from "./loop.ts";
import type { Stages } from "../stages/stages.ts";

/**
 * What decides whether the work is done, as texts to lock outside the project: one for the guards of the whole loop, and one
 * for each frame. The text of a frame ends with it; the others stay valid.
 */
export function verificationPlanTexts(plan: {
  readonly id: Loop["id"];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly protectedDigest: string | null;
  readonly folder: string;
  readonly proof: Loop["proof"];
  readonly proofBudgetMs: number | null;
  readonly mayChange: readonly string[];
  readonly workflow: Loop["workflow"];
  readonly stages: Loop["stages"];
  readonly frames: readonly {
    readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  }[];
}): readonly string[] {
  const guard = JSON.stringify([
    "guard",
    plan.id,
    plan.mustNots.map(mustNotText),
    plan.protects,
    plan.protectedDigest,
    // Only if present, so the texts of older loops stay the same.
    ...(plan.folder === "" ? [] : [plan.folder]),
    ...(plan.proof === "standard" ? [] : [["proof", plan.proof]]),
    ...(plan.proofBudgetMs === null ? [] : [["proof budget", plan.proofBudgetMs]]),
    ...(plan.mayChange.length === 0 ? [] : [["may change", plan.mayChange]]),
    ...(plan.workflow === null
      ? []
      : [["tasks", plan.workflow.plan.tasks.map(({ id, check }) => [id, check && checkText(check)])]]),
    ...(plan.stages === null ? [] : [judgementText(plan.stages)]),
  ]);
  const frames = plan.frames.map((frame) =>
    JSON.stringify([
      "frame",
      plan.id,
      frame.criteria.map(({ name, check }) => [name, check && checkText(check)]),
    ]),
  );
  return [guard, ...frames];
}

function judgementText({ policy, wishes }: Stages): unknown {
  const commands = wishes === null ? [] : [["may become checks", wishes.allowedChecks, wishes.keepsTests]];
  return ["judgement", policy.asks, policy.rounds, ...commands];
}

function mustNotText(mustNot: MustNot): unknown {
  return mustNot.kind === "path" ? ["path", mustNot.glob] : ["run", checkText(mustNot.check)];
}

function checkText({ command, timeoutMs, passEnv, use, folder }: Check): unknown {
  const line = command.kind === "shell" ? command.line : command.argv;
  return [
    command.kind,
    line,
    timeoutMs,
    passEnv,
    ...(use === undefined ? [] : [use]),
    ...(folder === undefined ? [] : [["in", folder]]),
  ];
}
