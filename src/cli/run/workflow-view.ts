import type { WorkflowNews } from "../../workflow/workflow-news.ts";
import { completeText, pausedText, startingLine } from "../../views/loop-lines.ts";
import { setbackText, taskLabel, waveDoneLine, waveLine } from "../../views/workflow-lines.ts";
import type { Terminal } from "../terminal.ts";
import { waitLine } from "./run-lines.ts";

/** Calm lines of a plan that is worked on: what begins, what was merged, what went back and why. */
export function workflowView(terminal: Terminal, now: () => number): (news: WorkflowNews) => void {
  return (news) => {
    for (const line of linesOf(terminal, news, now)) terminal.print(line);
  };
}

function linesOf(terminal: Terminal, news: WorkflowNews, now: () => number): readonly string[] {
  const green = terminal.paint("green", "✓");
  const red = terminal.paint("red", "✗");
  switch (news.type) {
    case "workflow-began":
      return [
        startingLine(news.loop),
        ...(news.inPlace ? ["[LOOP] Without git the tasks run one at a time, in place."] : []),
      ];
    case "preparing":
      return [`[LOOP] ${news.what}`];
    case "wave-began":
      return [waveLine(news.loop, news.wave, news.tasks)];
    case "wave-ended":
      return [waveDoneLine(news.loop, news.wave)];
    case "attempt-began": {
      const again = news.attempt.number > 1 ? ` (attempt ${news.attempt.number})` : "";
      return [`  ▸ ${taskLabel(news.task)}${again}`];
    }
    case "attempt-finished":
      return [`  ${terminal.paint("dim", `${news.task.id} is ready to merge`)}`];
    case "set-back":
      return [`  ${red} ${news.task.id}: ${setbackText(news.setback)}`];
    case "merged":
      return [
        `  ${green} ${taskLabel(news.task)}${news.commit === null ? "" : ` ${terminal.paint("dim", news.commit.slice(0, 8))}`}`,
      ];
    case "reverted":
      return [`  ! ${news.task}: the merge returns to an earlier content: ${news.files.join(", ")}`];
    case "flaky":
      return [`  ! The check of ${news.check} gave two results on the same files: it is flaky.`];
    case "given-up":
      return [`  ${red} ${news.task.id} was given up: ${news.why.split("\n")[0] ?? ""}`];
    case "limited":
      return [waitLine(news.until, now(), `${news.agent} met a usage limit; all of its attempts wait`)];
    case "workflow-ended":
      if (news.loop.phase === "completed") return [completeText(news.loop)];
      if (news.loop.phase === "paused") return [pausedText(news.loop)];
      return news.loop.phase === "cancelled" ? [`[LOOP] Cancelled: ${news.loop.id}`] : [];
    // The completion says it.
    case "delivered":
    case "attempt-news":
    case "merging":
      return [];
  }
}
