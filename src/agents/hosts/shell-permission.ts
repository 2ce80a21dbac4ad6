/** What a host is told about a shell line of its agent: let it run, or ask the person first. Null: the host's own rules decide. */
export type ShellPermission = "allow" | "ask" | null;

/** For every line of this kind: the words that an agent at work needs, and that loosen nothing. */
const HARMLESS: { readonly [word: string]: readonly string[] | "all" } = {
  status: "all",
  check: "all",
  done: "all",
  blocked: "all",
  log: "all",
  step: "all",
  criteria: ["show", "met", "unmet", "discover"],
  task: ["list", "show", "claim", "done", "drop", "counsel"],
  review: ["panel", "brief", "record"],
};

/**
 * Only a line that is exactly one harmless command of ours is let through. A line that has any other word of ours in it, however it is
 * written, is for the person. `typed`: the command of ours that the user has just typed, which needs no second word.
 */
export function permissionFor(line: string, typed: string | null): ShellPermission {
  const words = simpleCommand(line);
  if (words !== null && words[0] === "loop" && isHarmless(words.slice(1))) return "allow";
  const isFine = (own: readonly string[]): boolean => isHarmless(own) || isTyped(own, typed);
  return ownCommandsIn(line).every(isFine) ? null : "ask";
}

/** The command with which the user's word about a finding is passed on. */
export const RESOLVING = "review resolve";

/** What the user is asked about is their word, if they allow it: the rest of a line that is exactly such a command. */
export function askedWords(line: string): string | null {
  const [loop, review, resolve, ...words] = simpleCommand(line) ?? [];
  return loop === "loop" && `${review} ${resolve}` === RESOLVING ? words.join(" ") : null;
}

function isTyped([word = ""]: readonly string[], typed: string | null): boolean {
  return word === typed && !ALWAYS_ASKED.has(word);
}

/** These bring in commands, or speak for the person. */
const ALWAYS_ASKED = new Set(["start", "answer"]);

function isHarmless([word = "", second]: readonly string[]): boolean {
  const known = Object.hasOwn(HARMLESS, word) ? HARMLESS[word] : undefined;
  if (known === undefined) return false;
  return known === "all" || second === undefined || second.startsWith("-") || known.includes(second);
}

/** A word that means itself to every shell: bare, in single quotes, or in double quotes without anything that they expand. */
const WORD = /(?:[\w@%+=:,./-]+|'[^'\n]*'|"[^"\n$`\\!]*")+/y;
/** Text for the command's standard input, which no shell expands: the mark is quoted, and ends the line as well as the text. */
const HEREDOC = /<<'([A-Za-z_]\w*)'\n/y;

/** The words of a line that a shell takes for one command and nothing else; null: it may be more. */
function simpleCommand(line: string): readonly string[] | null {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(line) ?? [];
    if (word === undefined) return isHeredoc(line, at) && words.length > 0 ? words : null;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
    at += word.length;
    const blanks = /[ \t]*/y;
    blanks.lastIndex = at;
    at += blanks.exec(line)?.[0].length ?? 0;
    if (at === line.length) return words;
    if (line[at - 1] !== " " && line[at - 1] !== "\t") return null;
  }
}

/** Whether the rest is such a text, to the very end. */
function isHeredoc(line: string, at: number): boolean {
  HEREDOC.lastIndex = at;
  const [opening, mark] = HEREDOC.exec(line) ?? [];
  if (opening === undefined || mark === undefined) return false;
  const lines = line
    .slice(at + opening.length)
    .replace(/\n$/, "")
    .split("\n");
  return lines.indexOf(mark) === lines.length - 1;
}

const OWN_COMMAND = /(?:^|[^\w.-])loop[ \t]+([^\s;&|<>()]*)(?:[ \t]+([^\s;&|<>()]+))?/g;

/** The two words after each `loop` in a line, as any shell might read it: quotes and backslashes hide nothing. */
function ownCommandsIn(line: string): readonly (readonly string[])[] {
  const bare = line.replace(/\\\n|['"\\]/g, "");
  return [...bare.matchAll(OWN_COMMAND)].map(([, ...words]) => words.filter((word) => word !== undefined));
}
