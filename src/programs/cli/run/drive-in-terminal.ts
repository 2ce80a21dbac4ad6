import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { AgentChoice } from "../../../engine/run/agent-choice.ts";
import { driveLoop } from "../../../engine/run/drive.ts";
import type { LiveNews } from "../../../views/news/live-state.ts";
import { keepLiveNote } from "../../../engine/run/live-note-file.ts";
import type { RunNews } from "../../../views/news/news.ts";
import type { GoesOn, Person } from "../../../engine/run/run-context.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import { goOnWithoutReaders } from "../readers.ts";
import { canShowLive } from "../../../views/live/live-display.ts";
import { liveRunView } from "../live-run-view.ts";
import { colleague } from "./colleague.ts";
import { exitCodeOf, whyNotSure } from "./exit-code.ts";
import { interruptsOfTerminal } from "./interrupts.ts";
import { jsonView } from "../../../views/terminal/json.ts";
import type { Notification } from "./notify.ts";
import { notify } from "./notify.ts";
import { plainView } from "../../../views/terminal/run-view.ts";

export interface ViewFlags {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Drives a loop, shows it as well as the terminal can, and sets the exit code. */
export async function driveInTerminal(
  context: Context,
  chosen: LockedLoop,
  choice: AgentChoice,
  flags: ViewFlags & { readonly acceptsWeak: boolean; readonly notification: Notification | null },
): Promise<void> {
  const { machine } = context;
  const isLive = flags.json !== true && canShowLive(context.terminal, machine.env);
  const live = isLive ? liveRunView(context, chosen) : null;
  const terminal = live?.terminal ?? context.terminal;
  goOnWithoutReaders();
  const interrupts = interruptsOfTerminal((text) => {
    terminal.complain(isLive ? text : `\n${text}`);
    live?.pausing();
  });
  const view: (news: RunNews) => void =
    flags.json === true
      ? jsonView(terminal)
      : plainView(terminal, {
          verbose: flags.verbose === true,
          now: machine.now,
        });
  const note = keepLiveNote(machine, chosen.live.project, chosen.id);
  const tellLive = (news: LiveNews): void => {
    note.tell(news);
    live?.tell(news);
  };
  const person: Person = {
    goesOn: async (...asked) => {
      tellLive({ type: "asking" });
      const ask = async (): Promise<GoesOn> => colleague(terminal, interrupts).goesOn(...asked);
      return live === null ? ask() : live.whileAway(ask);
    },
  };
  let loop: Loop;
  try {
    loop = await driveLoop(machine, chosen, {
      choice,
      cli: context.cli,
      interrupts,
      person: isAttended(context, flags) ? person : null,
      tell: (news) => {
        tellLive(news);
        view(news);
      },
    });
  } finally {
    note.forget();
    live?.end();
  }
  const why = whyNotSure(loop, flags.acceptsWeak);
  if (why !== null) context.terminal.complain(`loop: ${why}`);
  notify(context, flags.notification, loop);
  const code = exitCodeOf(loop, interrupts.asked(), flags.acceptsWeak);
  // An immediate stop doesn't wait for anything that may still be open here.
  if (interrupts.now.aborted) process.exit(code);
  context.endWith(code);
}
