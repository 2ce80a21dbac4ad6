import { withoutStatusBlocks } from "../../../core/stop/status-block.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { SetbackKind } from "../../../core/plan/workflow.ts";
import { playPlanDemo } from "../../demo/play-plan.ts";
import type { PlanDemo } from "../../demo/plan-scene.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { dollars } from "../../../views/cost.ts";
import { completeText } from "../../../views/completion.ts";
import type { WorkflowNews } from "../../../views/news/news.ts";
import type { Context } from "../context.ts";
import { canShowLive } from "../../../views/live/live-region.ts";
import { livePlanView, type LivePlanView } from "../live-views.ts";
import { exitCodeOf } from "../run/endings.ts";
import { interruptsOfTerminal } from "../run/attended-run.ts";
import { workflowLines } from "../../../views/terminal/workflow-view.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";

/** The second scene: four tasks in two waves, a conflict, and work that passes alone and fails together. */
export async function showPlanDemo(context: Context, keep: boolean): Promise<void> {
  await showScene(context, keep, { play: playPlanDemo, introduction, closing });
}

interface Scene {
  readonly play: (demo: PlanDemo, print: (text: string) => void) => Promise<Loop>;
  readonly introduction: (terminal: Terminal, folder: string) => string;
  readonly closing: (terminal: Terminal, loop: Loop, seconds: number, folder: string | null) => string;
}

/** A plan that is played, as `loop run` shows it: who works on what at the moment. */
export async function showScene(context: Context, keep: boolean, scene: Scene): Promise<void> {
  const { terminal, machine } = context;
  let folder = "";
  const startedAt = machine.now();
  let live: LivePlanView | null = null;
  const above = (): Terminal => live?.terminal ?? terminal;
  const interrupts = interruptsOfTerminal((text) => above().complain(`\n${text}`));
  const demo: PlanDemo = {
    env: machine.env,
    cli: context.cli,
    keep,
    interrupts,
    onProject: (path) => {
      folder = path;
      terminal.print(scene.introduction(terminal, path));
    },
    onLoop: (chosen) => {
      if (canShowLive(terminal, machine.env)) live = livePlanView(context, chosen);
    },
    tell: (news) => {
      live?.tell(news);
      for (const line of sceneLines(terminal, news, machine.now())) above().print(line);
    },
  };
  const loop = await scene.play(demo, (text) => above().print(text)).finally(() => live?.end());
  const code = exitCodeOf(loop, interrupts.asked(), true);
  context.endWith(code);
  if (loop.phase === "completed") {
    const seconds = Math.round((machine.now() - startedAt) / 1000);
    terminal.print(scene.closing(terminal, loop, seconds, keep ? folder : null));
  }
  if (interrupts.now.aborted) process.exit(code);
}

function introduction({ paint }: Terminal, folder: string): string {
  return [
    `${paint("bold", "A small shop, four tasks, two agents at a time")}  ${paint("dim", folder)}`,
    paint(
      "dim",
      "Worktrees, merges, checks and state are real. The agents are played from scripts, so nothing is spent.",
    ),
    "",
    "$ loop run --plan PLAN.md --parallel 2",
    "",
  ].join("\n");
}

function sceneLines(terminal: Terminal, news: WorkflowNews, now: number): readonly string[] {
  const lines = workflowLines(terminal, news, now);
  if (news.type === "wave-began") return ["", ...lines];
  // The fleet's scene says it in its own words.
  if (news.type === "attempt-placed") return [];
  if (news.type === "attempt-news") return saidLines(terminal, news);
  if (news.type === "set-back") return [...lines, ...explained(terminal, news.setback.kind)];
  if (news.type !== "workflow-ended" || news.loop.phase !== "completed") return lines;
  return ["", completeText(news.loop)];
}

function saidLines(
  { paint }: Terminal,
  { task, news }: Extract<WorkflowNews, { type: "attempt-news" }>,
): readonly string[] {
  if (news.type !== "seen" || news.agentEvent.type !== "said") return [];
  return [`  ${paint("cyan", `${task} ›`)} ${oneLine(withoutStatusBlocks(news.agentEvent.text), 200)}`];
}

/** What a setback means, for somebody who sees one for the first time. */
function explained({ paint }: Terminal, kind: SetbackKind): readonly string[] {
  const text = {
    conflict: "Back to its task, in a worktree where the conflict stands. The branch has not moved.",
    "red-together":
      "Back to its task, with the merged files and what the check printed. The branch has not moved.",
    failed: "Back to its task, with what was tried.",
    lost: "Back to its task, for another worker. What it may have cost is charged.",
    setup: "Back to its task.",
  }[kind];
  return [`    ${paint("dim", text)}`];
}

function closing({ paint }: Terminal, loop: Loop, seconds: number, folder: string | null): string {
  const attempts = loop.workflow?.attempts.length ?? 0;
  const kept =
    folder === null
      ? paint(
          "dim",
          "  loop demo plan --keep leaves the folder: the commits of each task, the journals of each attempt",
        )
      : `  cd ${folder} && git log --stat`;
  return [
    "",
    `${attempts} attempts at 4 tasks, ${dollars(loop.spend.usd)} (scripted), ${seconds} s. A conflict and a change that only failed together were caught before your branch saw them.`,
    "",
    paint("bold", "Now in a project of yours:"),
    "  loop plan PLAN.md               see a plan's waves and what is wrong with it",
    "  loop run --plan PLAN.md         work on it, several tasks at once",
    "  loop review                     what it came to, riskiest first",
    kept,
  ].join("\n");
}
