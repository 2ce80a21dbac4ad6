import { isCommitDue } from "../core/loop/commit.ts";
import {
  isHandedBack,
  isDriven,
  isWorkflow,
  topFrame,
  type Loop,
  type PauseReason,
} from "../core/loop/loop.ts";
import { isObjection } from "./criterion.ts";
import { circlingTasks } from "../core/plan/workflow.ts";
import { blockersLeft } from "../core/stages/stages.ts";
import { flagsIn } from "../core/stop/status-block.ts";
import { counted } from "../system/text/quantities.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { dollars } from "./cost.ts";
import { lacksProgram, resumeFlags } from "./resume-flags.ts";

/** What a person is asked for, most urgent first. */
export const NEED_KINDS = [
  "must-not",
  "approval",
  "blocked",
  "answer",
  "findings",
  "died",
  "limit",
  "breaker",
  "commit",
  "trust",
  "unreadable",
  "paused",
  "undriven",
] as const;
type NeedKind = (typeof NEED_KINDS)[number];

/** What a loop needs of a person: one sentence, and the commands that help, in order. Names are public. */
export interface Needs {
  readonly kind: NeedKind;
  readonly sentence: string;
  /** In the machine's or the agent's words. */
  readonly detail: string | null;
  readonly commands: readonly string[];
  /** The command for the other answer, which is the usual one: the change is wrong. Only for an approval. */
  readonly refusing?: string;
}

/** What is known beside the journal. */
export interface Around {
  /** The run that drove it was killed. */
  readonly isGone: boolean;
  /** The process in whose terminal somebody is asked right now. */
  readonly askingIn: number | null;
  /** Whether the files from before its last iteration can be restored. */
  readonly undo: number | null;
  /** A run lives that will do what is left to do. */
  readonly isDriven: boolean;
  /** On which machine it is made, and in which folder there; null: on this one. */
  readonly elsewhere: string | null;
}

export const NOTHING_AROUND: Around = {
  isGone: false,
  askingIn: null,
  undo: null,
  isDriven: false,
  elsewhere: null,
};

/** What to type first; empty: nothing helps. */
export function firstHelp(needs: Needs | null): string {
  return needs?.refusing ?? needs?.commands.join(" && ") ?? "";
}

/** null: nobody has to do anything. */
export function needsOf(loop: Loop, around: Around): Needs | null {
  // Its plan says what is needed: nothing can be done to a copy.
  if (around.elsewhere !== null) return null;
  switch (loop.phase) {
    case "completed":
      return isCommitDue(loop) && !around.isDriven ? commitNeeds(loop) : null;
    case "cancelled":
      return null;
    case "paused":
      return needsOfPaused(loop, around);
    case "active":
      return needsOfActive(loop, around);
  }
}

function commitNeeds({ id }: Loop): Needs {
  return {
    kind: "commit",
    sentence: "It is done, and its work is not committed",
    detail: "Its run ended before the commit was made.",
    commands: [`loop continue --loop ${id}`],
  };
}

function needsOfActive(loop: Loop, { isGone, askingIn }: Around): Needs | null {
  const named = `--loop ${loop.id}`;
  if (isGone)
    return {
      kind: "died",
      sentence: "Its run died",
      detail: "No run is driving this loop now. What was cut off starts again when it continues.",
      commands: [`loop continue ${named}`],
    };
  if (askingIn !== null)
    return {
      kind: "answer",
      sentence: "It asks whether to go on",
      detail: `The question is in the terminal of process ${askingIn}.`,
      commands: [],
    };
  if (loop.binding === null)
    return {
      kind: "undriven",
      sentence: "Nobody works on it",
      detail: null,
      commands: [`loop run ${named}`],
    };
  if (isHandedBack(loop) && !isDriven(loop))
    return {
      kind: "answer",
      sentence: "It handed back and waits for you",
      detail: loop.saidNext === null ? null : oneLine(loop.saidNext, 300),
      commands: [],
    };
  return null;
}

function needsOfPaused(loop: Loop & { readonly phase: "paused" }, around: Around): Needs {
  const { reason, detail } = loop;
  const named = `--loop ${loop.id}`;
  const resume = ["loop continue", named, ...resumeFlags(loop)].join(" ");
  const approved = approvedBy(loop);
  if (reason === "blocked" && approved !== null) return approvalNeeds(loop, approved, resume);
  if (reason === "must-not") {
    const undo = around.undo === null ? [] : [`loop undo ${around.undo} ${named}`];
    return { kind: "must-not", sentence: mustNotSentence(detail), detail, commands: [...undo, resume] };
  }
  if (reason === "blocked") return blockedNeeds(loop, resume);
  const [circling] = loop.workflow === null ? [] : circlingTasks(loop.workflow);
  if (reason === "iterations" && circling !== undefined)
    return {
      kind: "breaker",
      sentence: `${circling} failed in the same way each time`,
      detail,
      commands: [`loop task retry ${circling} ${named} --say "WHAT TO DO"`, resume],
    };
  return {
    kind: kindOf(reason),
    sentence: sentenceOf(loop),
    detail: beyondSentence(loop),
    commands: [resume],
  };
}

function approvalNeeds({ id }: Loop, { loop, name, files, there }: Approved, resume: string): Needs {
  const sentence = `Is this change to ${files.length === 1 ? "a test" : "tests"} right?`;
  const changed = files.map((file) => oneLine(file, 120)).join(", ");
  const detail = `"${oneLine(name, 120)}" fails with the original tests. Changed since: ${changed}`;
  const approve = `loop approve --loop ${loop}`;
  const cancel = `loop cancel --loop ${loop}`;
  if (there !== null)
    return {
      kind: "blocked",
      sentence,
      detail: `${detail}. First, ${oneLine(there, 200)}: ${approve} or ${cancel}`,
      commands: [resume],
    };
  return {
    kind: "approval",
    sentence,
    detail,
    commands: [approve, resume],
    // An attempt at a task is judged alone, and another one begins without its changes.
    refusing: loop === id ? `${resume} --say "${RESTORE}"` : `${cancel} && ${resume}`,
  };
}

/** The agent is told which files changed. Their names are no words for a shell. */
export const RESTORE = "restore the original tests, then fix the source";

/** The machine's own words for attempts, which a person approves by the attempt's loop. */
const OF_ATTEMPT =
  /^(\S+): (?:(on \S+ in [^]+?), )?its check fails [^]*\(changed: ([^]*)\)\. If the change is right: loop approve --loop (\S+);/;

interface Approved {
  readonly loop: string;
  readonly name: string;
  readonly files: readonly string[];
  /** Where a worker has its files; null: here. */
  readonly there: string | null;
}

/** Where approving is what helps: the original tests contradict tests that changed, and the agent came back with them. */
function approvedBy(loop: Loop & { readonly phase: "paused" }): Approved | null {
  // An agent that asks something has its answer first, whatever was objected to before.
  const contradicted =
    loop.pausedBy === "machine"
      ? topFrame(loop).criteria.find(({ proofs }) => proofs.some(isObjection))
      : undefined;
  const judge = contradicted?.proofs.find(isObjection);
  if (contradicted !== undefined && judge !== undefined)
    return { loop: loop.id, name: contradicted.name, files: judge.files, there: null };
  const [, task, there = null, files = "", attempt] =
    loop.workflow === null ? [] : (OF_ATTEMPT.exec(loop.detail ?? "") ?? []);
  if (task === undefined || attempt === undefined) return null;
  const isOurs = loop.workflow?.attempts.some((each) => each.loop === attempt) === true;
  return isOurs ? { loop: attempt, name: task, files: files.split(", "), there } : null;
}

/** Whether it waits for a word on tests that changed, and that its own agent can put back. */
export function isAboutTests(loop: Loop & { readonly phase: "paused" }): boolean {
  return loop.reason === "blocked" && approvedBy(loop)?.loop === loop.id;
}

function mustNotSentence(detail: string | null): string {
  const [, path, change] = /^path:[^:]*: (\S+) (changed|added|removed)/.exec(detail ?? "") ?? [];
  if (path !== undefined) return `It ${change} ${oneLine(path, 120)}, which it must not`;
  const [, line] = /^run:([^]*): /.exec(detail ?? "") ?? [];
  return line === undefined ? "It did what it must not" : `\`${oneLine(line, 80)}\` fails, which must not be`;
}

function blockedNeeds(loop: Loop & { readonly phase: "paused" }, resume: string): Needs {
  const { detail, stages } = loop;
  const last = stages?.reviews.at(-1);
  const blockers = last === undefined ? [] : blockersLeft(last);
  const [first] = blockers;
  if (first !== undefined)
    return {
      kind: "findings",
      sentence: `Reviewers found ${counted(blockers.length, "blocker")}`,
      detail: `${first.id} ${oneLine(first.file, 80)}: ${oneLine(first.problem, 200)}`,
      commands: [
        `loop review --loop ${loop.id}`,
        `loop review resolve ${first.id} fix --loop ${loop.id}`,
        resume,
      ],
    };
  if (flagsIn(detail).length > 0)
    return { kind: "blocked", sentence: "It lacks a permission", detail, commands: [resume] };
  if (!isQuestion(loop))
    return { kind: "blocked", sentence: "The agent can't work", detail, commands: [resume] };
  const check = /^check "([^"]*)": /.exec(detail ?? "")?.[1];
  return {
    kind: "blocked",
    sentence: check === undefined ? "It is blocked and asks for help" : `It says that "${check}" can't pass`,
    detail,
    commands: [`${resume} --say "YOUR ANSWER"`],
  };
}

/** Whether words help: an agent asks, or one at a task of a plan. What the machine met is no question. */
export function isQuestion(loop: Loop & { readonly phase: "paused" }): boolean {
  const isAsked = loop.pausedBy !== "machine" || isWorkflow(loop);
  return loop.reason === "blocked" && isAsked && flagsIn(loop.detail).length === 0 && !lacksProgram(loop);
}

/** What the sentence doesn't say already. */
function beyondSentence(loop: Loop & { readonly phase: "paused" }): string | null {
  const { reason, detail, limits, spend, workflow } = loop;
  if (reason === "iterations" && workflow === null && topFrame(loop).iterationLimit !== null) return null;
  const isOverspent = limits.budgetUsd !== null && spend.usd > limits.budgetUsd;
  return reason === "budget" && isOverspent ? "Its last turn ended above the limit." : detail;
}

const LIMITS: ReadonlySet<PauseReason> = new Set(["iterations", "budget", "rate-limit"]);

function kindOf(reason: PauseReason): NeedKind {
  if (reason === "user") return "paused";
  return LIMITS.has(reason) ? "limit" : "breaker";
}

function sentenceOf(loop: Loop & { readonly phase: "paused" }): string {
  const { limits, spend } = loop;
  const { breakers, iterationLimit } = topFrame(loop);
  switch (loop.reason) {
    case "budget":
      return limits.budgetUsd === null || spend.usd < limits.budgetUsd
        ? "It has used up its limits"
        : `Out of money: ${dollars(spend.usd)} of ${dollars(limits.budgetUsd)} used`;
    case "iterations":
      return loop.workflow === null
        ? iterationLimit === 1
          ? "Its one iteration is used up"
          : `All ${iterationLimit ?? "its"} iterations are used up`
        : "Tasks failed, and all their attempts are used up";
    case "rate-limit":
      return "The agent met its usage limit";
    case "same-error":
      return `The same error ${times(breakers.sameError.count)} in a row`;
    case "stuck":
      return `Nothing more was met, ${times(breakers.stuck.count)} in a row`;
    case "no-progress":
      return `Nothing changed, ${times(breakers.noProgress.count)} in a row`;
    case "thrashing":
      return "It edits the same file over and over";
    case "stale":
      return "It was silent for too long";
    case "unknown-error":
      return "The agent ended with an error";
    case "user":
      return "Somebody paused it";
    case "blocked":
    case "must-not":
      return "It needs you";
  }
}

const WORDS = ["no times", "once", "twice", "three times", "four times", "five times"];

function times(count: number): string {
  return WORDS[count] ?? `${count} times`;
}

/** A loop that can't be shown: what to do about it. */
export function needsOfUnreadable(id: string, phase: "aborted" | "untrusted" | null, why: string): Needs {
  if (phase === "untrusted")
    return {
      kind: "trust",
      sentence: `${why[0]?.toUpperCase() ?? ""}${why.slice(1)}`,
      detail: null,
      commands: [`loop trust ${id}`],
    };
  return {
    kind: "unreadable",
    sentence: phase === null ? "A newer program wrote it" : "Its journal cannot be read",
    detail: why,
    commands: phase === null ? [] : ["loop doctor"],
  };
}
