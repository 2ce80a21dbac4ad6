import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tokensIn } from "../arena/judges/scripted-asker.ts";
import { answerForm, questionPrompt } from "../src/engine/asking/answer-form.ts";
import type { Question } from "../src/core/questions/question.ts";
import { standingReason } from "../src/core/stop/hold-reason.ts";
import { counselQuestion } from "../src/core/questions/retry-advice.ts";
import { decomposeQuestion } from "../src/core/questions/decompose.ts";
import {
  choicesFrom,
  intentAnswer,
  intentText,
  weakQuestions,
} from "../src/core/questions/intent/intent-question.ts";
import { scoreAnswer, scoreText } from "../src/core/questions/intent/model-scores.ts";
import { counsellorsFor, perspectivesFor } from "../src/core/questions/perspectives.ts";
import { shownDiff } from "../src/core/questions/review/work-diff.ts";
import { shapeAnswer, shapeText, testAnswer, testText } from "../src/core/questions/shape/shape-question.ts";
import { scoreSpec } from "../src/core/spec/score.ts";
import { turnPrompt } from "../src/views/prompts/turn.ts";
import type { AskedReview } from "../src/engine/plan/stages/ask-review.ts";
import { lightReview, thoroughReview } from "../src/engine/plan/stages/review-work.ts";
import { checked, loopWith } from "../test/support/loop-builders.ts";
import { write } from "./measure.ts";
import { benchSession } from "./session-characters.ts";
import type { SampleProject } from "./sample-project.ts";
import { SAMPLES } from "./sample-project.ts";

const NONCE = "0".repeat(24);
const NO_COMMIT = "0".repeat(40);

/** What each stage asks a model to read, on projects of three sizes. */
export async function benchPrompts(): Promise<void> {
  const columns = SAMPLES.map((sample) => promptsFor(sample));
  const names = [...(columns[0]?.keys() ?? [])];
  const tokensOf = (name: string): readonly number[] =>
    columns.map((prompts) => tokensIn((prompts.get(name) ?? "").length));
  const largest = Math.max(...names.flatMap(tokensOf));
  write("\nTokens of each prompt (characters / 4), and their ratio to the largest");
  for (const { name, files, changedLines } of SAMPLES)
    write(`  ${name}: ${files.length} files, ${changedLines} changed lines`);
  write(`  ${"".padEnd(28)} ${SAMPLES.map(({ name }) => name.padStart(17)).join("")}`);
  for (const name of names) {
    const cells = tokensOf(name).map((tokens) =>
      `${String(tokens).padStart(8)} ${(tokens / largest).toFixed(4)}×`.padStart(17),
    );
    write(`  ${name.padEnd(28)} ${cells.join("")}`);
  }
  benchSession();
}

function promptsFor(sample: SampleProject): ReadonlyMap<string, string> {
  const { spec, facts, shape } = sample;
  const [tests] = facts.checks;
  if (tests === undefined) throw new Error(`${sample.name} has no check`);
  const open = weakQuestions(scoreSpec(spec), choicesFrom(spec, facts));
  const discovered = facts.checks.map(({ command }) => command);
  const failure = "AssertionError: expected 12, got 3\n".repeat(sample.failureLines);
  const command = { kind: "shell", line: tests.command } as const;
  const check = { command, timeoutMs: 60_000, passEnv: [] };
  const task = { id: "T-001", subject: "Write the totals", description: spec, check };
  const approaches = [shape.decisions.join(" ")];
  const failed = { after: 2, failures: [failure, failure], approaches, commit: null };
  return new Map([
    ["score", asked({ text: scoreText(spec), schema: scoreAnswer })],
    ["intent", asked({ text: intentText(spec, open, facts), schema: intentAnswer })],
    ["shape", asked({ text: shapeText(spec, shape, facts), schema: shapeAnswer })],
    [
      "test",
      asked({ text: testText(spec, shape.criteria[0]?.name ?? "", tests, facts), schema: testAnswer }),
    ],
    ["decompose", asked(decomposeQuestion({ spec, shape, discovered, commit: null }))],
    ["turn of loop run, first", turnOf(sample, false)],
    ["turn of loop run, continued", turnOf(sample, true)],
    ["counsel", asked(counselQuestion(task, failed, counsellorsFor({ failure, aspects: [] }, [], 4), NONCE))],
    ["light review, of a wave", reviewOf(sample, lightReview(1, NO_COMMIT))],
    ["thorough review", reviewOf(sample, thoroughReview(1, NO_COMMIT))],
    ...pluginTexts(),
  ]);
}

function asked({ text, schema }: Pick<Question<unknown>, "text" | "schema">): string {
  return questionPrompt(text, answerForm(schema));
}

function reviewOf(
  { spec, shape, diff }: SampleProject,
  { perspectives, room, question }: AskedReview,
): string {
  const files = diff.stats.map(({ path }) => path);
  const demands = shape.criteria.map(({ name, check }, index) => ({
    id: `C-${index + 1}`,
    text: name,
    check,
  }));
  const work = { spec, demands, decisions: shape.decisions, diff: shownDiff(diff, room), commit: null };
  return asked(question(work, perspectivesFor({ aspects: [], files }, perspectives), NONCE));
}

function turnOf({ spec, shape }: SampleProject, continued: boolean): string {
  const loop = loopWith({ goal: { spec, criteria: shape.criteria.map(({ name }) => checked(name)) } });
  return turnPrompt({ loop, reason: standingReason(loop, 1), continued, interrupted: false, undone: null });
}

/** The same for every project: what a session of Claude Code reads when it uses one of them. */
function pluginTexts(): readonly (readonly [name: string, text: string])[] {
  const skills = readdirSync("plugin/skills").map(
    (name) => [`plugin, skill ${name}`, join("plugin/skills", name, "SKILL.md")] as const,
  );
  const agents = readdirSync("plugin/agents").map(
    (name) => [`plugin, agent ${name.replace(".md", "")}`, join("plugin/agents", name)] as const,
  );
  return [...skills, ...agents].map(([name, path]) => [name, readFileSync(path, "utf8")]);
}
