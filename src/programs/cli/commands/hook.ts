import { Option, type Command } from "commander";
import { answerHook } from "../../../engine/stop/answer-hook.ts";
import { isDisabled, letGo, readCall } from "../../../agents/hosts/hook-call.ts";
import { DEFAULT_HOST, recognise } from "../../../agents/hosts/hosts.ts";
import { REPLY_FORMS, type ReplyForm } from "../../../agents/hosts/reply.ts";
import type { Context } from "../context.ts";

export function addHook(program: Command, { machine, terminal, readInput, endWith }: Context): void {
  program
    .command("hook", { hidden: true })
    .description(
      "Answers a host's hook: reads its JSON from standard input and writes the reply to standard output. Same as node dist/hook.js EVENT.",
    )
    .argument("<event>", "the host's name for the event, for example stop")
    .option("--host <id>", "the host that calls", DEFAULT_HOST.id)
    .addOption(new Option("--reply <form>", "how to answer").choices(REPLY_FORMS).default("decision"))
    .addHelpText(
      "after",
      `\nExample:\n  $ echo '{"hook_event_name":"Stop","session_id":"abc"}' | loop hook stop --host claude-code`,
    )
    .action(async (event: string, flags: { readonly reply: ReplyForm; readonly host: string }) => {
      const words = { event, ...flags };
      const answer = isDisabled(machine.env)
        ? letGo(words)
        : await answerHook(machine, recognise(readCall(words, readInput())));
      terminal.complainAsIs(answer.stderr);
      terminal.printAsIs(answer.stdout);
      answer.delivered?.();
      endWith(answer.exitCode);
    });
}
