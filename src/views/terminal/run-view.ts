import { isWorkflow, type Loop } from "../../core/loop/loop.ts";
import type { Verdict } from "../../core/stop/verdict.ts";
import { withoutStatusBlocks } from "../../core/stop/status-block.ts";
import type { AgentEvent } from "../../agents/drivers/driver.ts";
import type { RunNews } from "../news/news.ts";
import { iterationLine, pausedText, resumeAnnouncement, startingLine } from "../loop-lines.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { wrapped } from "../../system/text/display-width.ts";
import type { Terminal } from "./terminal.ts";
import { judgedLines } from "./criterion-lines.ts";
import { tellingLines } from "./telling-lines.ts";
import { commitLines } from "../commit-message.ts";
import { completeText, type CompletedLoop } from "../completion.ts";
import { fileList } from "../file-list.ts";
import { effortText } from "../cost.ts";
import { unmetNames } from "../criterion.ts";
import { durationText } from "../../system/text/quantities.ts";

const MOST_FILES = 5;

/** Plain lines, for logs and for reading later. */
export function plainView(
  terminal: Terminal,
  options: {
    readonly verbose: boolean;
    readonly now: () => number;
  },
): (news: RunNews) => void {
  let before: Loop | null = null;
  let announcedWait = 0;
  const announcedUnkept = new Set<"all" | "some">();
  let agent = "";
  let claimed = "";
  let isRetryTold = false;
  const linesOf = (agentEvent: AgentEvent): readonly string[] => {
    if (agentEvent.type === "retrying") {
      if (isRetryTold) return [];
      isRetryTold = true;
      return [`[LOOP] ${agent} has trouble and retries by itself: ${oneLine(agentEvent.detail, 200)}`];
    }
    if (agentEvent.type !== "said") return [];
    claimed = agentEvent.text;
    const text = oneLine(withoutStatusBlocks(agentEvent.text), terminal.width - 4);
    return options.verbose ? [terminal.paint("dim", `  › ${text}`)] : [];
  };
  const lines = (news: RunNews): readonly string[] => {
    switch (news.type) {
      case "began":
        before = news.loop;
        ({ agent } = news);
        return [
          news.resumed ? resumeAnnouncement(news.loop, unmetNames(news.loop)) : startingLine(news.loop),
          ...permissionLine(news),
        ];
      case "recovered":
        return [
          news.finished
            ? `[LOOP] Iteration ${news.turn.iteration} was finished when its run was cut off; it counts once.`
            : `[LOOP] Iteration ${news.turn.iteration} was cut off and starts again.`,
        ];
      case "unkept": {
        // A problem before one iteration is usually still there before the next.
        const files = news.files === "all" ? "all" : "some";
        if (announcedUnkept.has(files)) return [];
        announcedUnkept.add(files);
        return [unkeptLine(news)];
      }
      case "launched":
        claimed = "";
        isRetryTold = false;
        return [iterationLine(news.loop)];
      case "judged":
        return [
          ...(options.verbose ? [] : claimLine(terminal, claimed)),
          ...judgedLines(terminal, before, news.loop),
          ...tellingLines(terminal, news.loop, news.verdict),
          ...deniedLine(agent, news.verdict),
        ];
      case "troubled":
        return troubleLines(news);
      case "waiting":
        if (news.until === announcedWait) return [];
        announcedWait = news.until;
        return [waitLine(news.until, options.now(), news.detail)];
      case "uncommitted":
        return [`[LOOP] Not committed: ${oneLine(news.why, 300)}`];
      case "ended":
        return endLines(news.loop, news);
      case "seen":
        return linesOf(news.agentEvent);
      case "returned":
      case "checking":
      case "checked":
      case "recorded":
        return [];
    }
  };
  return (news) => {
    for (const line of lines(news)) terminal.print(fits(terminal, line));
    if (news.type === "judged") before = news.loop;
  };
}

const MARK = "[LOOP] ";

/** On a terminal our lines wrap instead of being cut; in a log each stays one line. */
function fits({ isInteractive, width }: Terminal, text: string): string {
  if (!isInteractive) return text;
  return text
    .split("\n")
    .map((line) => (line.startsWith(MARK) ? wrapped(line, width, " ".repeat(MARK.length)) : line))
    .join("\n");
}

function permissionLine({ agent, permits, hasRules }: RunNews & { type: "began" }): readonly string[] {
  if (permits === null) return [];
  const flags = hasRules ? "--allow or --permission-mode" : "--permission-mode";
  return [`[LOOP] ${agent} may ${oneLine(permits, 200)}. Change that with ${flags}.`];
}

/** It goes on; a person who wants it otherwise knows the flag. */
function deniedLine(agent: string, verdict: Verdict): readonly string[] {
  const denied = verdict.type === "hold" && verdict.because === "unfinished" ? verdict.reason.denied : [];
  if (denied.length === 0) return [];
  return [
    `[LOOP] ${agent} may not do all it tried, and continues without: ${oneLine(denied.join(", "), 300)}`,
  ];
}

function unkeptLine({ files, why }: RunNews & { type: "unkept" }): string {
  if (why === null) return "[LOOP] This isn't a git repository, so loop undo can't restore anything.";
  if (files === "all")
    return `[LOOP] No checkpoint, so loop undo can't undo this iteration: ${oneLine(why, 300)}; fix this, or make git ignore what is in the way, to get one for the next iteration.`;
  const named = fileList(files, MOST_FILES, (path) => oneLine(path, 80));
  return `[LOOP] Not in the checkpoints, so loop undo won't restore: ${named} (${why}); keep a copy of what you may need, or make git ignore it.`;
}

function troubleLines({ trouble, remedy }: RunNews & { type: "troubled" }): readonly string[] {
  switch (remedy.type) {
    case "retry":
      return [`[LOOP] Trouble: ${oneLine(trouble.detail, 200)} | Retrying once`];
    case "wait":
    case "pause":
      return [];
  }
}

/** The agent's last words of the turn, in one line. */
function claimLine(terminal: Terminal, said: string): readonly string[] {
  const text = oneLine(withoutStatusBlocks(said), terminal.width - 10);
  return text === "" ? [] : [`${terminal.paint("cyan", "agent ›")} ${text}`];
}

/** What a person can do about a loop that ended. */
interface Ways {
  /** Other loops are open too, so a command has to name this one. */
  readonly isNamed: boolean;
  /** There are checkpoints. */
  readonly canUndo: boolean;
}

export function endLines(loop: Loop, ways: Ways): readonly string[] {
  switch (loop.phase) {
    case "completed":
      return [
        completeText(loop),
        ...filesLine(loop),
        ...commitLines(loop).map((line) => `[LOOP] ${line}`),
        ...effortLine(loop, ways),
      ];
    case "paused":
      return [pausedText(loop, ways.isNamed), ...effortLine(loop, ways)];
    case "cancelled":
      return [`[LOOP] Cancelled: ${loop.id}`];
    case "active":
      return [`[LOOP] Another session took over ${loop.id}.`];
  }
}

export function waitLine(until: number, now: number, detail: string): string {
  const time = new Date(until).toLocaleTimeString("en-GB");
  return `[LOOP] Waiting until ${time} (${durationText(until - now)}) | ${oneLine(detail, 120)}`;
}

function filesLine({ changed }: CompletedLoop): readonly string[] {
  if (changed === null) return [];
  const files = [...changed.source, ...changed.tests, ...changed.definitions];
  return files.length === 0 ? [] : [`[LOOP] Files: ${fileList(files, MOST_FILES)}`];
}

/** What it took, and the way back, or to what a plan came to. Only a run keeps the files before each iteration. */
function effortLine(loop: Loop, { isNamed, canUndo }: Ways): readonly string[] {
  if (loop.driven === null) return [];
  const name = isNamed ? ` --loop ${loop.id}` : "";
  const undo = canUndo ? [`Undo: loop undo 1${name}`] : [];
  const next = !isWorkflow(loop) ? undo : loop.workflow === null ? [] : [`Review: loop review${name}`];
  return [`[LOOP] ${[effortText(loop), ...next].join(" | ")}`];
}
