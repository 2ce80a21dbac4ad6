import { setTimeout as sleep } from "node:timers/promises";
import { lookAgain, isAbandoned, type KnownLoop, type FoundLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { isInRepository } from "../../storage/home/project.ts";
import { areSeveralOpen, chooseLoop, placeOf } from "../../storage/loops/choose-loop.ts";
import { statusOfLoop } from "../../engine/lifecycle/status.ts";
import { UserError } from "../../core/user-error.ts";
import { isWorkflow, type Loop } from "../../core/loop/loop.ts";
import { readLiveNote } from "../../engine/run/live-note-file.ts";
import { iterationLine } from "../../views/loop-lines.ts";
import { planLine, stageLine } from "../../views/plan.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";
import { endLines } from "../../views/terminal/run-view.ts";
import { agentOf } from "../../engine/run/agent-choice.ts";
import { RUN_IS_GONE, liveLines } from "../../views/live/live-lines.ts";
import { canShowLive, liveDisplay, type LinesOf } from "../../views/live/live-region.ts";
import { livePlanLines } from "../../views/live/live-plan-lines.ts";
import type { LiveViewState } from "../../views/news/live-state.ts";
import { newsBetweenLooks } from "../../views/live/news-between-looks.ts";

const LOOK_MS = 500;

/** Receives what a look sees. */
interface Watcher {
  /** The current loop, when its journal has grown; the first look has no previous one. */
  readonly changed: (found: KnownLoop, before: Loop | null) => void | Promise<void>;
  /** On every look, even when nothing changed. */
  readonly looked: (found: KnownLoop) => void;
  /** Nothing more will come. */
  readonly closed: () => void;
}

/** Shows a loop that runs elsewhere until it pauses or ends. Read-only. */
export async function watchLoop(
  context: Context,
  wanted: string | undefined,
  flags: { readonly json?: boolean },
): Promise<void> {
  const { machine, terminal } = context;
  const chosen = await chooseLoop(machine, wanted, { anySession: true, isRead: true });
  const watcher = watcherFor(context, flags);
  let last: KnownLoop;
  try {
    last = await watchUntilIdle(machine, chosen, watcher);
  } finally {
    watcher.closed();
  }
  if (flags.json === true) return;
  const { project } = chosen.live;
  const ways = { isNamed: await areSeveralOpen(machine, project), canUndo: isInRepository(project.root) };
  for (const line of endLines(last.live.loop, ways)) terminal.print(line);
}

async function watchUntilIdle(machine: Machine, chosen: KnownLoop, watcher: Watcher): Promise<KnownLoop> {
  let known: Loop | null = null;
  for (;;) {
    const found = expectLoop(await lookAgain(machine, chosen));
    const { loop } = found.live;
    if (loop !== known) await watcher.changed(found, known);
    known = loop;
    if (loop.phase !== "active") return found;
    watcher.looked(found);
    await sleep(LOOK_MS);
  }
}

function expectLoop(found: FoundLoop): KnownLoop {
  switch (found.type) {
    case "loop":
      return found;
    case "untrusted":
      throw new UserError(
        `The loop ${found.id} is no longer trusted here; review it with: loop trust ${found.id}`,
      );
    case "aborted":
    case "newer":
      throw new UserError(`The loop ${found.id} can no longer be read: ${oneLine(found.why, 300)}.`);
  }
}

function watcherFor(context: Context, flags: { readonly json?: boolean }): Watcher {
  if (flags.json === true) return jsonWatcher(context);
  return canShowLive(context.terminal, context.machine.env) ? liveWatcher(context) : plainWatcher(context);
}

function jsonWatcher({ machine, terminal }: Context): Watcher {
  return {
    changed: async (found) => terminal.print(JSON.stringify(await statusOfLoop(machine, found))),
    looked: () => undefined,
    closed: () => undefined,
  };
}

function plainWatcher({ machine, terminal }: Context): Watcher {
  let wasAbandoned = false;
  return {
    changed: ({ live: { loop } }, before) => {
      const lines =
        before === null ? beginning(loop) : newsBetweenLooks(terminal, before, loop, machine.now());
      for (const line of lines) terminal.print(line);
    },
    looked: (found) => {
      const abandoned = isGone(machine, found);
      if (abandoned && !wasAbandoned) terminal.print(`[LOOP] Active, but ${RUN_IS_GONE}`);
      wasAbandoned = abandoned;
    },
    closed: () => undefined,
  };
}

/** Of an attempt on another machine, nobody can tell here. */
function isGone(machine: Context["machine"], found: KnownLoop): boolean {
  return isAbandoned(found.live.loop) && placeOf(machine, found) === null;
}

function beginning(loop: Loop): readonly string[] {
  if (loop.phase !== "active") return [];
  if (!isWorkflow(loop)) return [iterationLine(loop)];
  return [loop.workflow === null ? stageLine(loop) : planLine(loop)];
}

function liveWatcher({ machine, terminal }: Context): Watcher {
  const display = liveDisplay(terminal, machine.now, loopLines);
  const looked = (found: KnownLoop): void => {
    const { project, loop } = found.live;
    const note = readLiveNote(project, loop);
    display.show({ loop, agent: agentOf(loop), note, abandoned: isGone(machine, found) });
  };
  return {
    changed: (found, before) => {
      looked(found);
      if (before === null) return;
      const lines = newsBetweenLooks(terminal, before, found.live.loop, machine.now());
      for (const line of lines) display.terminal.print(line);
    },
    looked,
    closed: display.end,
  };
}

/** Of a plan, what its journal says; what each agent does just now only its own run knows. */
const loopLines: LinesOf<LiveViewState> = (state, ...window) =>
  state.loop.workflow === null
    ? liveLines(state, ...window)
    : livePlanLines({ loop: state.loop, attempts: new Map() }, ...window);
