// oxlint-disable-next-line no-control-regex -- colours are exactly what is removed here
const COLOUR = /\u001b\[[0-9;]*m/g;
const LOG_LINE = /^timestamp=\S+ level=/;
const NOTE = /^!/;
const ASKED = /^!\s+permission requested: (\S+) \(.*\); auto-rejecting$/;
const LOGGED_ERROR = /(?:^| )(?:error|error\.error|cause)=(?:"((?:[^"\\]|\\.)*)"|(\S+))/;

/** The permissions that opencode refused because nobody was there, in order. */
export function askedIn(stderr: string): readonly string[] {
  return linesOf(stderr).flatMap((line) => ASKED.exec(line)?.[1] ?? []);
}

/** What the log says about the error with this mark; the output only says that it happened. */
export function loggedReason(stderr: string, mark: string): string | null {
  const line = linesOf(stderr).findLast((each) => LOG_LINE.test(each) && each.includes(` ref=${mark} `));
  return line === undefined ? null : errorOf(line);
}

/** What opencode said before it gave up: from its last error on, otherwise its log or its last line. */
export function complaintIn(stderr: string): string | null {
  const lines = linesOf(stderr);
  const spoken = lines.filter((line) => !LOG_LINE.test(line) && !NOTE.test(line));
  const begin = spoken.findLastIndex((line) => line.startsWith("Error: "));
  if (begin >= 0) return spoken.slice(begin).join(" ").slice("Error: ".length);
  const logged = lines.findLast((line) => LOG_LINE.test(line));
  return (logged === undefined ? null : errorOf(logged)) ?? spoken.at(-1) ?? null;
}

/** For arguments it doesn't understand, opencode prints its help without naming them. */
export function isHelp(stderr: string): boolean {
  return /^\s+-h, --help\s/m.test(stderr) || /^\s+--auto\s+auto-approve/m.test(stderr);
}

function errorOf(logLine: string): string | null {
  const [, quoted, bare] = LOGGED_ERROR.exec(logLine) ?? [];
  const text = quoted?.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1") ?? bare;
  return text?.replace(/^\w*Error: /, "") ?? null;
}

function linesOf(stderr: string): readonly string[] {
  return stderr
    .replace(COLOUR, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
