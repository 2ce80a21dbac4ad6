import type { Command } from "commander";
import { preflightForJob } from "../../../engine/opening/background-preflight.ts";
import { judgeForJob } from "../../../engine/stop/judge-in-background.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import type { Context } from "../context.ts";

/** Commands the program starts itself with; not for people. */
export function addInternal(program: Command, { machine }: Context): void {
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
}
