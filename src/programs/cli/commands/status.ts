import type { Command } from "commander";
import { statusEverywhere, statusOfLoops, type ShownLoops } from "../../../engine/lifecycle/status.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { callerOf } from "../../../agents/hosts/caller.ts";
import { findHost } from "../../../agents/hosts/hosts.ts";
import { typedAs } from "../../../agents/hosts/typed-command.ts";
import { isDrivenNow, isAbandoned } from "../../../storage/loops/known-loop.ts";
import { readLiveNote } from "../../../engine/run/live-note-file.ts";
import { findProject } from "../../../storage/home/project.ts";
import { oneLine, shellWord } from "../../../system/text/plain-text.ts";
import type { StatusView } from "../../../views/status.ts";
import { printJson, type Context } from "../context.ts";
import { RUN_IS_GONE } from "../../../views/live/live-lines.ts";
import { firstHelp } from "../../../views/needs.ts";
import { statusText } from "../../../views/terminal/status-text.ts";

type Project = ShownLoops["project"];

interface Flags {
  readonly watch?: boolean;
  readonly all?: boolean;
  readonly line?: boolean;
  readonly everywhere?: boolean;
  readonly loop?: string;
  readonly json?: boolean;
}

export function addStatus(program: Command, context: Context): void {
  program
    .command("status")
    .description(
      "Shows the loops of this project, newest first: phase and reason, criteria with their evidence, iteration, cost and next step.",
    )
    .argument("[id]", "only this loop; the start of its id is enough")
    .option("-w, --watch", "keep watching until the loop pauses or ends")
    .option("--all", "include ended loops")
    .option("--loop <id>", "the same as an id")
    .option("--everywhere", "the loops of all projects in which you opened one, not only of this one")
    .option(
      "--line",
      "one line for the status line of Claude Code, which describes its session on standard input",
    )
    .option("--json", 'print {"loops":[…]}; with --watch, one line per change')
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop status\n  $ loop status fix-the-tests\n  $ loop status --watch\n  $ loop status --everywhere\n  $ loop status --all --json",
    )
    .action(async (id: string | undefined, { loop = id, ...flags }: Flags) => {
      const { machine, terminal } = context;
      if (flags.line === true) {
        const { statusLine } = await import("../status-line.ts");
        return terminal.print(await statusLine(context));
      }
      if (flags.watch === true) {
        const { watchLoop } = await import("../watch-loop.ts");
        return watchLoop(context, loop, flags);
      }
      if (flags.everywhere === true) return showEverywhere(context, flags);
      const { project, loops, openCount, endedCount, deleted } = await statusOfLoops(machine, {
        all: flags.all === true,
        last: flags.json !== true,
        loop,
        files: flags.json === true,
      });
      if (flags.json)
        return printJson(context, {
          loops: loops.map(({ view }) => view),
          ...(deleted.length === 0 ? {} : { deleted }),
        });
      const gone = deleted.map(deletedText).join("");
      if (loops.length > 0) {
        const texts = await Promise.all(
          loops.map(({ view, ...shown }) =>
            textOf(context, project, typed(context, openCount > 1 ? withNamedNext(view) : view), shown),
          ),
        );
        const hasEnded = ["completed", "cancelled"].includes(loops[0]?.view.phase ?? "");
        const isLast = hasEnded && openCount === 0 && loop === undefined && flags.all !== true;
        const others = endedCount > 1 ? ` (${endedCount} ended; see them with --all)` : "";
        return terminal.print(
          `${isLast ? `No loop is open; the last one${others}:\n\n` : ""}${texts.join("\n\n")}${gone}`,
        );
      }
      return terminal.print(
        `No loop is open in ${project.root}.${gone}${await lostText(context, project)}\nOpen one with: loop run "what you want"`,
      );
    });
}

async function showEverywhere(context: Context, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const loops = await statusEverywhere(machine, { all: flags.all === true, files: flags.json === true });
  if (flags.json) return printJson(context, { loops: loops.map(({ view }) => view) });
  if (loops.length === 0)
    return terminal.print('No loop is open on this machine.\nOpen one with: loop run "what you want"');
  const here = findProject(machine.cwd).root;
  const texts = loops.map(
    ({ view }) =>
      `${terminal.paint("dim", oneLine(view.root ?? "", 200))}\n${statusText(terminal, fromElsewhere(withNamedNext(view), here), machine.now())}`,
  );
  return terminal.print(texts.join("\n\n"));
}

/** What `git clean` took can be brought back, as far as a run kept it. */
async function lostText({ machine }: Context, project: ShownLoops["project"]): Promise<string> {
  const { lostLoop } = await import("../../../engine/lifecycle/undoable.ts");
  const lost = await lostLoop(machine, project);
  return lost === null
    ? ""
    : `\nThe journal of ${lost.id} is gone; restore files from before it with: loop undo --list --loop ${lost.id}`;
}

function deletedText({ loop, session, at }: ShownLoops["deleted"][number]): string {
  const when = new Date(at).toISOString().replace("T", " ").slice(0, 16);
  return `\n  deleted: ${loop}. ${session} found its folder missing at ${when} UTC, before it had ended.`;
}

/** When several loops are open, a command has to name the one it is for. */
function withNamedNext(view: StatusView): StatusView {
  const next = firstHelp(view.needs);
  return next === "" ? view : { ...view, next };
}

/** A command finds the loops of the project in which it is typed. */
function fromElsewhere(view: StatusView, here: string): StatusView {
  const { root, next } = view;
  if (root === null || root === here || next?.startsWith("loop ") !== true) return view;
  return { ...view, next: `cd ${shellWord(root)} && ${next}` };
}

/** In a session whose host has our commands, the user types them there. */
function typed({ machine }: Context, view: StatusView): StatusView {
  const caller = callerOf(machine.env);
  const host = caller.kind === "agent" ? findHost(caller.host) : null;
  if (host === null || view.next?.startsWith("loop continue") !== true) return view;
  const next = view.next.replace("loop continue", typedAs(host, "continue"));
  // The words follow a typed command as they are.
  return { ...view, next: host.commandPrefix === null ? next : next.replace(/ --say "(.*)"$/, " $1") };
}

async function textOf(
  { machine, terminal }: Context,
  project: Project,
  view: StatusView,
  { loop, undone }: Omit<ShownLoops["loops"][number], "view">,
): Promise<string> {
  const driving =
    view.elsewhere !== null
      ? `made ${oneLine(view.elsewhere, 200)}`
      : loop?.phase === "active"
        ? await drivingText(project, loop)
        : null;
  return [
    statusText(terminal, view, machine.now()),
    ...(undone === null
      ? []
      : [`  ${terminal.paint("yellow", `undone: the files went back to before iteration ${undone}`)}`]),
    ...(driving === null ? [] : [`  ${terminal.paint("dim", driving)}`]),
  ].join("\n");
}

/** Whether a run drives it right now. */
async function drivingText(project: Project, loop: Loop): Promise<string | null> {
  if (isAbandoned(loop)) return `active, but ${RUN_IS_GONE}`;
  if (!isDrivenNow(loop)) return null;
  const { agentOf } = await import("../../../engine/run/agent-choice.ts");
  const { model, process } = loop.driven;
  const agent = `${agentOf(loop)}${model === null ? "" : ` (${oneLine(model, 60)})`}`;
  if (readLiveNote(project, loop)?.doing.type === "asking")
    return `waits for an answer in the terminal of process ${process.pid}: Continue? [Y/n/a]`;
  return `driven now by ${agent}, process ${process.pid}: loop status --watch`;
}
