import type { Command } from "commander";
import { learningsHere, learningsOfOthers, markHere } from "../../../engine/learnings/keep-learning.ts";
import { judgedIn, learningsFor, recallOf, type Answered } from "../../../engine/learnings/recall.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { callerNow } from "../../../storage/loops/caller-now.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { openLoopOfSession } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { printable } from "../../../system/text/plain-text.ts";
import { isAttended, printJson, type Context } from "../context.ts";
import { askRecall, learningJson, learningLines, namedLearning } from "../learnings.ts";
import { collect } from "../options.ts";
import { readText } from "../read-text.ts";

interface Flags {
  readonly file?: string;
  readonly others?: boolean;
  readonly confirm?: readonly string[];
  readonly dismiss?: readonly string[];
  readonly json?: boolean;
}

export function addRecall(program: Command, context: Context): void {
  program
    .command("recall")
    .description(
      "Shows what earlier loops of this project learned about what a spec asks for, at most five, recent and sure ones first. In a terminal it asks which of them apply. Without a spec, that of the open loop. A loop that is opened does this by itself.",
    )
    .argument("[spec...]", "what you want, in your own words")
    .option("-f, --file <path>", "read the spec from a file, or from standard input with -")
    .option("--others", "also what other projects on this machine learned")
    .option("--confirm <id>", "say that a learning applies here (repeatable)", collect)
    .option(
      "--dismiss <id>",
      "say that it doesn't, so that it is never shown here again (repeatable)",
      collect,
    )
    .option("--json", "print them as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop recall "Fix the rounding in src/cart.js"
  $ loop recall "Add a login page" --others
  $ loop recall --confirm 3f2a --dismiss 91c0`,
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const marks = [
        ...(flags.confirm ?? []).map((id) => [id, "confirmed"] as const),
        ...(flags.dismiss ?? []).map((id) => [id, "dismissed"] as const),
      ];
      const given = words.join(" ").trim();
      if (marks.length > 0) {
        if (given !== "") throw new UserError("Give a spec, or --confirm and --dismiss, not both.");
        return mark(context, marks);
      }
      return recall(context, await specOf(context, given, flags.file), flags);
    });
}

async function specOf(context: Context, given: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return readText(context, file);
  if (given !== "") return given;
  try {
    return topFrame((await chooseLoop(context.machine, undefined)).live.loop).spec;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError('Give a spec, for example: loop recall "Fix the failing tests"', { cause: error });
  }
}

async function mark(
  { machine, terminal }: Context,
  marks: readonly (readonly [id: string, mark: "confirmed" | "dismissed"])[],
): Promise<void> {
  const own = learningsHere(machine).learnings;
  const known = new Set(own.map(({ id }) => id));
  const all = [...own, ...learningsOfOthers(machine).filter(({ id }) => !known.has(id))];
  const named = marks.map(([id, each]) => ({ named: id, learning: namedLearning(all, id), mark: each }));
  await markHere(machine, named, "recall");
  for (const { learning, mark: each } of named)
    terminal.print(
      `${each === "confirmed" ? "Confirmed" : "Dismissed"} ${learning.id}: ${printable(learning.text)}`,
    );
  const idsOf = (wanted: string): ReadonlySet<string> =>
    new Set(named.filter((each) => each.mark === wanted).map(({ learning }) => learning.id));
  await tellSession(machine, { confirmed: idsOf("confirmed"), dismissed: idsOf("dismissed") });
}

/** The loop of the session in which its user said so goes by it from now on. */
async function tellSession(machine: Machine, answered: Answered): Promise<void> {
  const caller = callerNow(machine);
  const session = caller.kind === "agent" ? caller.session : null;
  const own = session === null ? null : await openLoopOfSession(machine, session);
  await own?.live.record((loop) => {
    const judged = judgedIn(loop, answered);
    return judged === undefined ? [] : [judged];
  });
}

async function recall(context: Context, spec: string, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const attended = isAttended(context, flags);
  const asked = { spec, criteria: [] };
  const found = learningsFor(machine, asked, { others: flags.others === true });
  if (!flags.json && found.length === 0)
    return terminal.print("Nothing that was learned here is about this.");
  const answered = attended && found.length > 0 ? await askRecall(context, found) : undefined;
  const { familiarity = 0 } = recallOf(machine, found, answered) ?? {};
  if (flags.json)
    return printJson(context, {
      familiarity,
      learnings: found.map((each) => ({ ...learningJson(each), own: !each.isForeign })),
    });
  if (answered === undefined)
    for (const [index, learning] of found.entries())
      for (const line of learningLines(terminal, learning, { number: index + 1, now: machine.now() }))
        terminal.print(line);
  return terminal.print(terminal.paint("dim", `familiarity ${familiarity}/10, part of the fit of a spec`));
}
