import { Command } from "commander";
import { addCheck } from "./commands/check.ts";
import { addCompletion } from "./commands/completion.ts";
import { addCriteria } from "./commands/criteria.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addHook } from "./commands/hook.ts";
import { addInternal } from "./commands/internal.ts";
import { addInstall } from "./commands/install.ts";
import { addLifecycle } from "./commands/lifecycle.ts";
import { addLog } from "./commands/log.ts";
import { addRun } from "./commands/run.ts";
import { addScore } from "./commands/score.ts";
import { addStart } from "./commands/start.ts";
import { addStatus } from "./commands/status.ts";
import { addStep } from "./commands/step.ts";
import { addTrust } from "./commands/trust.ts";
import { addUndo } from "./commands/undo.ts";
import type { Context } from "./context.ts";

declare const LOOPWRIGHT_VERSION: string;

export function createProgram(context: Context): Command {
  const program = new Command("loop")
    .description(
      "Keeps a coding agent working until the spec is shown to be satisfied, or a limit pauses it.",
    )
    .version(LOOPWRIGHT_VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help; every command has its own, with examples")
    .configureHelp({ subcommandTerm: (command) => command.name(), showGlobalOptions: false })
    .configureOutput({
      writeOut: context.terminal.printAsIs,
      writeErr: context.terminal.complainAsIs,
      outputError: (text, write) => write(text.replace(/^error: /, "loop: ")),
    })
    .exitOverride()
    .showHelpAfterError("(--help says what there is)")
    .addHelpText(
      "after",
      `
Examples:
  $ loop demo                           see it work, with no key
  $ loop run "Fix the failing tests" -c "tests pass=npm test" --shape tool
  $ loop check && loop status           run the checks, see where it stands
  $ loop continue --budget=25           go on after a pause`,
    );
  program.commandsGroup("Work:");
  addRun(program, context);
  addStart(program, context);
  addStatus(program, context);
  addCheck(program, context);
  addLifecycle(program, context);
  addUndo(program, context);
  program.commandsGroup("Plan:");
  addCriteria(program, context);
  addStep(program, context);
  addScore(program, context);
  program.commandsGroup("Look after it:");
  addLog(program, context);
  addTrust(program, context);
  addInstall(program, context);
  addDoctor(program, context);
  addDemo(program, context);
  addCompletion(program, context);
  addHook(program, context);
  addInternal(program, context);
  program.addHelpCommand(
    new Command("help").argument("[command]").description("help for a command").helpGroup("Look after it:"),
  );
  return program;
}
