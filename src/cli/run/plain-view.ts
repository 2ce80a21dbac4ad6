import type { Loop } from "../../core/loop.ts";
import { withoutStatusBlocks } from "../../core/status-block.ts";
import type { RunNews } from "../../run/news.ts";
import { iterationLine, oneLine, resumeAnnouncement, startingLine } from "../../views/loop-lines.ts";
import type { Terminal } from "../terminal.ts";
import { endLines, judgedLines, unmetNames, waitLine } from "./run-lines.ts";

/** Calm lines, for logs and for those who read later. */
export function plainView(
  terminal: Terminal,
  options: {
    readonly verbose: boolean;
    readonly now: () => number;
    /** A command has to name the loop, because others are open too. */
    readonly isNamed: () => boolean;
  },
): (news: RunNews) => void {
  let before: Loop | null = null;
  let announcedWait = 0;
  const lines = (news: RunNews): readonly string[] => {
    switch (news.type) {
      case "began":
        before = news.loop;
        return news.resumed
          ? [resumeAnnouncement(news.loop, unmetNames(news.loop))]
          : [startingLine(news.loop)];
      case "recovered":
        return [
          news.finished
            ? `[LOOP] Iteration ${news.turn.iteration} had been finished when its run was cut off; it counts once.`
            : `[LOOP] Iteration ${news.turn.iteration} had been cut off; it is begun again.`,
        ];
      case "launched":
        return [iterationLine(news.loop)];
      case "judged":
        return judgedLines(terminal, before, news.loop);
      case "troubled":
        return troubleLines(news);
      case "waiting":
        if (news.until === announcedWait) return [];
        announcedWait = news.until;
        return [waitLine(news.until, options.now(), news.detail)];
      case "ended":
        return endLines(news.loop, options.isNamed());
      case "seen":
        if (!options.verbose || news.sighting.type !== "said") return [];
        return [
          terminal.paint(
            "dim",
            `  › ${oneLine(withoutStatusBlocks(news.sighting.text), terminal.width - 4)}`,
          ),
        ];
      case "returned":
      case "checking":
      case "checked":
      case "recorded":
        return [];
    }
  };
  return (news) => {
    for (const line of lines(news)) terminal.print(line);
    if (news.type === "judged") before = news.loop;
  };
}

function troubleLines({ trouble, remedy }: RunNews & { type: "troubled" }): readonly string[] {
  switch (remedy.type) {
    case "retry":
      return [`[LOOP] Trouble: ${oneLine(trouble.detail, 200)} | Trying once more`];
    case "wait":
    case "pause":
      return [];
  }
}
