import type { Said, Signal, SignalTag } from "../../core/stop/facts.ts";

const SIGNALS: { readonly [Tag in SignalTag["tag"]]: readonly Signal[] } = {
  "loop-done": ["COMPLETE", "MAX_ITERATIONS", "STUCK"],
  "issue-complete": ["DONE"],
  "grind-done": ["NO_MORE_ISSUES", "MAX_ISSUES"],
};

const SIGNAL_LINE = /^<(loop-done|issue-complete|grind-done)>([A-Z_]+)<\/\1>[ \t]*$/;
const MARKER_LINE = /^[ \t]*<loop-complete>[ \t]*$/;

/** A longer message isn't a conversation, and reading it could take longer than a host waits. */
const SIZE_LIMIT = 256 * 1024;

/** The completion tags of a message: each a whole source line, a signal from its beginning, outside code, comments and quotes. */
export async function completionTags(message: string): Promise<Pick<Said, "marker" | "signals">> {
  const lines = message.split(/\r\n|\n|\r/);
  if (message.length > SIZE_LIMIT || !lines.some(isCandidate)) return { marker: false, signals: [] };

  // The parser is loaded only for a message that could hold a tag.
  const { linesOfProse } = await import("./lines-of-prose.ts");
  const prose = linesOfProse(message);
  const spoken = lines.filter((_, index) => prose(index + 1));
  return { marker: spoken.some((line) => MARKER_LINE.test(line)), signals: spoken.flatMap(signalsOf) };
}

function isCandidate(line: string): boolean {
  return MARKER_LINE.test(line) || SIGNAL_LINE.test(line);
}

function signalsOf(line: string): readonly SignalTag[] {
  const match = SIGNAL_LINE.exec(line);
  if (match === null) return [];
  const tag = match[1] as SignalTag["tag"];
  const signal = SIGNALS[tag].find((each) => each === match[2]);
  return signal === undefined ? [] : [{ tag, signal }];
}
