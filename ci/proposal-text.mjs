// The title and the text of a pull request, made from a run's summary. Some of it is the agent's words, so it calls
// nobody and closes nothing.

/** GitHub takes 65,536 characters. */
const LONGEST_TEXT = 60_000;
const LONGEST_TITLE = 72;
const CUT = "\n\n… The rest is in the artifact of the run.";

/** The first line of the spec, which the summary quotes. */
export function titleOf(summary) {
  const [, quoted = ""] = /^> *(.*\S)/m.exec(summary) ?? [];
  const line = inert(quoted.replace(/[#*`_\s]+/g, " ").trim()) || "Work of a loop";
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}

export function readableText(summary, footer) {
  const text = inert(summary);
  const whole = text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}${CUT}`;
  return `${whole.trimEnd()}\n\n${footer}\n`;
}

/** Without mentions, and without references, which could close an issue: both need the sign right before the name. */
function inert(text) {
  return text.replace(/([@#!])(?=[\w-])/g, "$1\u2060").replace(/\bGH-(?=\d)/gi, "GH\u2060-");
}
