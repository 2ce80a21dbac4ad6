import type { Command } from "commander";
import { UserError } from "../../../core/user-error.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { isQuestion } from "../../../views/needs.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import type { Context } from "../context.ts";
import { readWholeText } from "../read-text.ts";
import { showNext } from "../run/start-in-session.ts";

interface Flags {
  readonly loop?: string;
  readonly json?: boolean;
}

export function addAnswer(program: Command, context: Context): void {
  program
    .command("answer")
    .description(
      "Shows what the spec of a session's workflow leaves open, or answers it. The answers become part of the spec; then its shape is drawn.",
    )
    .argument("[answers...]", "a letter or words for each number, or - for standard input")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print the loop and the open questions as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop answer\n  $ loop answer 1A, 2B\n  $ loop answer '1A, 2: only total() in src/cart.js'",
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const chosen = await chooseLoop(context.machine, flags.loop);
      expectStages(chosen);
      const line = words.join(" ");
      const answers = line === "-" ? readWholeText(context, "-") : line;
      await showNext(context, chosen, answers.trim() === "" ? null : answers, flags);
    });
}

/** Whoever is asked something by an agent may well type `loop answer`. */
function expectStages({ id, live: { loop } }: KnownLoop): void {
  if (loop.stages !== null || loop.phase !== "paused" || !isQuestion(loop)) return;
  throw new UserError(
    `The agent of ${id} asks; answer it with: loop continue --loop ${id} --say "YOUR ANSWER"`,
  );
}
