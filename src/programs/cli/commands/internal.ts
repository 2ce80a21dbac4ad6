import type { Command } from "commander";
import { preflightForJob } from "../../../engine/opening/background-preflight.ts";
import { judgeForJob } from "../../../engine/stop/judge-in-background.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { watchOver } from "../../../system/process/guardian.ts";
import { playTurn } from "../../../agents/rehearsal/play.ts";
import type { Context } from "../context.ts";

/** Commands the program starts itself with; not for people. */
export function addInternal(program: Command, { machine, endWith }: Context): void {
  program
    .command("guardian", { hidden: true })
    .description("Ends the processes a run leaves behind when it is killed.")
    .argument("<run>")
    .action(async (run: string) => watchOver(run, process.stdin));

  program
    .command("judge", { hidden: true })
    .description("Runs checks that a hook needs and cannot wait for.")
    .argument("<token>")
    .requiredOption("--loop <id>")
    .action(async (token: string, flags: { loop: string }) =>
      judgeForJob(machine, await chooseLoop(machine, flags.loop), token),
    );

  program
    .command("settle", { hidden: true })
    .description("Judges and merges the tasks of a session's plan, for its hook.")
    .argument("<token>")
    .requiredOption("--loop <id>")
    .action(async (token: string, flags: { loop: string }) => {
      const { settleForJob } = await import("../../../engine/plan/session/settle-session.ts");
      await settleForJob(machine, await chooseLoop(machine, flags.loop), token);
    });

  program
    .command("preflight", { hidden: true })
    .description("Runs the preflight of a loop that a session just opened.")
    .argument("<token>")
    .requiredOption("--loop <id>")
    .action(async (token: string, flags: { loop: string }) =>
      preflightForJob(machine, await chooseLoop(machine, flags.loop), token),
    );

  program
    .command("rehearse", { hidden: true })
    .description("Plays one turn of a rehearsal's script, as an agent would.")
    .requiredOption("--script <file>")
    .requiredOption("--position <file>")
    .option("--conversation <id>")
    .action(async (flags: { script: string; position: string; conversation?: string }) => {
      const code = await playTurn({
        script: flags.script,
        position: flags.position,
        conversation: flags.conversation ?? null,
        cwd: machine.cwd,
        env: machine.env,
        stdin: process.stdin,
        stdout: process.stdout,
      });
      endWith(code);
    });
}
