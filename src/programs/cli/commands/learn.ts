import { InvalidArgumentError, Option, type Command } from "commander";
import {
  learnText,
  learningsHere,
  learningsOfOthers,
  markHere,
  pruneHere,
} from "../../../engine/learnings/keep-learning.ts";
import { LEARNING_KINDS, type LearningKind } from "../../../core/loop/recall.ts";
import { UserError } from "../../../core/user-error.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";
import { printJson, type Context } from "../context.ts";
import { learningJson, learningLines, namedLearning } from "../learnings.ts";

interface Flags {
  readonly kind: LearningKind;
  readonly confidence?: number;
  readonly list?: boolean;
  readonly forget?: string;
  readonly prune?: boolean;
  readonly export?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addLearn(program: Command, context: Context): void {
  program
    .command("learn")
    .description(
      "Keeps something worth knowing for later loops of this project, and shows or removes what is kept. A loop that completes or pauses adds what it learned by itself. All worktrees of a repository share one project.",
    )
    .argument("[text...]", "what is worth knowing, in a sentence")
    .addOption(new Option("--kind <kind>", "what it is about").choices(LEARNING_KINDS).default("discovery"))
    .option(
      "--confidence <n>",
      "how sure it is, from 0 to 1 (default 0.9, from an agent at most 0.6)",
      parseConfidence,
    )
    .option("--list", "show what is kept for this project")
    .option("--all", "with --list or --export: of every project on this machine")
    .option("--forget <id>", "delete one for good; the start of its id is enough")
    .option("--prune", "delete what was dismissed, is old or is very unsure")
    .option("--export", "print them as JSON lines")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop learn "The e2e tests need a running database: npm run db" --kind constraint
  $ loop learn --list
  $ loop learn --forget 3f2a
  $ loop learn --export --all > learnings.jsonl`,
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const text = words.join(" ").trim();
      expectOneWish(text, flags);
      expectNoOption(words);
      if (flags.forget !== undefined) return forget(context, flags.forget);
      if (flags.prune === true) return pruneAll(context);
      if (flags.export === true) return exportAll(context, flags);
      if (flags.list === true || text === "") return list(context, flags);
      return keep(context, text, flags);
    });
}

function parseConfidence(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("Expected a number from 0 to 1.");
  return value;
}

function expectOneWish(text: string, { forget: id, prune, export: exports, list: lists }: Flags): void {
  const wishes = [text !== "", id !== undefined, prune === true, exports === true, lists === true];
  if (wishes.filter(Boolean).length > 1)
    throw new UserError("Give a text, or one of --list, --forget, --prune and --export.");
}

const OPTIONS: ReadonlySet<string> = new Set(["list", "forget", "prune", "export", "all", "json"]);

/** `loop learn list`: nobody wants that word kept. */
function expectNoOption([first = "", second, ...more]: readonly string[]): void {
  const isAlone = second === undefined || (first === "forget" && more.length === 0);
  if (!OPTIONS.has(first) || !isAlone) return;
  throw new UserError(
    `Options begin with dashes: loop learn --${first}${second === undefined ? "" : ` ${oneLine(second, 40)}`}`,
  );
}

async function keep(context: Context, text: string, { kind, confidence, json }: Flags): Promise<void> {
  const learned = await learnText(context.machine, { text, kind, confidence });
  if (json) return printJson(context, learningJson(learned));
  return context.terminal.print(`Kept ${learned.id}: ${printable(learned.text)}`);
}

function shownLearnings(
  { machine }: Context,
  { all }: Flags,
): readonly (Parameters<typeof learningJson>[0] & { readonly isDismissed?: boolean })[] {
  const { learnings, dismissed } = learningsHere(machine);
  const own = learnings.map((each) => ({ ...each, isDismissed: dismissed.has(each.id) }));
  const others = all === true ? learningsOfOthers(machine).map((each) => ({ ...each, isForeign: true })) : [];
  return [...own, ...others].toSorted((one, other) => other.at - one.at);
}

function list(context: Context, flags: Flags): void {
  const { machine, terminal } = context;
  const shown = shownLearnings(context, flags);
  if (flags.json)
    return printJson(context, {
      learnings: shown.map((each) => ({ ...learningJson(each), dismissed: each.isDismissed === true })),
    });
  if (shown.length === 0)
    return terminal.print('Nothing is kept for this project yet; add something with: loop learn "…"');
  for (const [index, learning] of shown.entries())
    for (const line of learningLines(terminal, learning, { number: index + 1, now: machine.now() }))
      terminal.print(line);
  return undefined;
}

function exportAll(context: Context, flags: Flags): void {
  for (const learning of shownLearnings(context, flags))
    context.terminal.print(JSON.stringify(learningJson(learning)));
}

async function forget(context: Context, wanted: string): Promise<void> {
  const { machine, terminal } = context;
  const learning = namedLearning(learningsHere(machine).learnings, wanted);
  await markHere(machine, [{ named: wanted, learning, mark: "forgotten" }], "learn");
  terminal.print(`Forgot ${learning.id}: ${printable(learning.text)}`);
}

async function pruneAll({ machine, terminal }: Context): Promise<void> {
  const gone = await pruneHere(machine);
  terminal.print(
    `Removed ${gone} of this project's learnings; ${learningsHere(machine).learnings.length} are left.`,
  );
}
