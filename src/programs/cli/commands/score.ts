import { shellCheck, criterionText } from "../../../engine/opening/given-criteria.ts";
import type { Command } from "commander";
import { scoreAsked, type AskedCriterion } from "../../../engine/opening/asked-loop.ts";
import { startQuestions } from "../../../engine/opening/start-question.ts";
import { learningsFor, recallOf } from "../../../engine/learnings/recall.ts";
import { parseMustNot } from "../../../engine/opening/config-plan.ts";
import { UserError } from "../../../core/user-error.ts";
import { DEFAULT_TIMEOUT_MS } from "../../../core/loop/criterion.ts";
import { FIT_LIMIT, fitScore, shapeOfSpec, workflowShape } from "../../../core/spec/shape.ts";
import { DIMENSIONS } from "../../../core/spec/rule.ts";
import { shapeMeaning, shapeName } from "../../../views/shape.ts";
import { printable } from "../../../system/text/plain-text.ts";
import { printJson, type Context } from "../context.ts";
import { collect } from "../options.ts";
import { readText } from "../read-text.ts";
import { padded } from "../../../system/text/display-width.ts";

interface Flags {
  readonly file?: string;
  readonly criterion?: readonly string[];
  readonly mustNot?: readonly string[];
  readonly protect?: readonly string[];
  readonly json?: boolean;
}

export function addScore(program: Command, context: Context): void {
  program
    .command("score")
    .description(
      "Scores a spec on five dimensions, 0 to 2 each, and shows the words that earned each point. Also says how a loop would run: by itself, asking after each iteration, or asking what you mean first. Uses no model.",
    )
    .argument("[spec...]", "what you want, in your own words")
    .option("-f, --file <path>", "read the spec from a file, or from standard input with -")
    .option("-c, --criterion <name=command>", "counts toward success and done (repeatable)", collect)
    .option("--must-not <rule>", "counts toward constraints (repeatable)", collect)
    .option("--protect <glob>", "counts toward constraints (repeatable)", collect)
    .option("--json", "print the score as JSON")
    .addHelpText(
      "after",
      '\nExamples:\n  $ loop score "Make it better"\n  $ loop score "Reduce p95 latency of GET /api/orders below 100ms" -c "tests pass=npm test"',
    )
    .action(async (words: readonly string[], flags: Flags) => score(context, words.join(" "), flags));
}

async function score(context: Context, words: string, flags: Flags): Promise<void> {
  const { terminal } = context;
  const spec = flags.file === undefined ? words : readText(context, flags.file);
  if (spec.trim() === "") throw new UserError('Give a spec, for example: loop score "Fix the failing tests"');
  const asked = {
    spec,
    criteria: (flags.criterion ?? []).map((text) => scoredCriterion(context, text)),
    mustNots: (flags.mustNot ?? []).map((text) => parseMustNot(text, DEFAULT_TIMEOUT_MS, "")),
    protects: flags.protect ?? [],
  };
  const result = scoreAsked(asked);
  const found = learningsFor(context.machine, asked, { others: false });
  const familiarity = recallOf(context.machine, found)?.familiarity ?? 0;
  const fit = fitScore(result, familiarity);
  const shape = shapeOfSpec(spec, result.total);
  if (flags.json)
    return printJson(context, { ...result, fit, familiarity, shape, workflowShape: workflowShape(fit) });
  for (const dimension of DIMENSIONS) {
    const [first, ...rest] = result.evidence[dimension];
    terminal.print(
      `${padded(dimension, 12)} ${result[dimension]}/2  ${terminal.paint("dim", printable(first ?? "nothing found"))}`,
    );
    for (const line of rest) terminal.print(`${" ".repeat(18)}${terminal.paint("dim", printable(line))}`);
  }
  const ofWorkflow = workflowShape(fit);
  terminal.print(`${terminal.paint("bold", padded("total", 12))} ${result.total}/10`);
  terminal.print(`${padded("shape", 12)} ${shapeName(shape)}: ${shapeMeaning(shape)}`);
  terminal.print(
    `${padded("fit", 12)} ${fit}/${FIT_LIMIT}: as a workflow, a loop with tasks, it would be ${shapeName(ofWorkflow)} (${shapeMeaning(ofWorkflow)})`,
  );
  if (found.length > 0)
    terminal.print(
      `${padded("familiarity", 12)} ${familiarity}/10, in the fit: ${found.length} learned before; see them with: loop recall`,
    );
  if (result.questions.length > 0) terminal.print("\nTo score higher, answer these in the spec:");
  for (const question of result.questions) terminal.print(`  ? ${printable(question)}`);
  for (const toAsk of await startQuestions(context.machine)) terminal.print(`\n${toAsk}`);
  return undefined;
}

function scoredCriterion(context: Context, text: string): AskedCriterion {
  const given = criterionText(context.machine, text);
  if (given.kind === "words") return { name: given.text, check: null };
  const name = given.kind === "named" ? given.name : given.line;
  return { name, check: shellCheck(given.line, { checkTimeout: DEFAULT_TIMEOUT_MS }) };
}
