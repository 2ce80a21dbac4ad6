/** What a host is told about a shell line of its agent: let it run, or ask the person first. Null: the host's own rules decide. */
export type ShellPermission = "allow" | "ask" | null;

/** For every line of this kind: the words that an agent at work needs, and that loosen nothing. */
const HARMLESS: { readonly [word: string]: readonly string[] | "all" } = {
  status: "all",
  check: "all",
  done: "all",
  blocked: "all",
  log: "all",
  score: "all",
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
  if (words !== null && words[0] === "loop" && isHarmless(words.slice(1)) && !readsSpecFile(words))
    return "allow";
  return firstAsked(line, typed) === undefined ? null : "ask";
}

/** The first command of ours in a line that is for the person. */
function firstAsked(line: string, typed: string | null): readonly string[] | undefined {
  return ownCommandsIn(line).find((own) => !isHarmless(own) && !isTyped(own, typed));
}

/** What allowing a command means, by its words; the longest match counts. */
const MEANINGS: { readonly [words: string]: string } = {
  start: "it opens a loop, whose checks loop runs by itself",
  run: "it starts another agent, which works and costs money",
  answer: "it says in your name what the spec means",
  recall: "it says in your name what applies here",
  continue: "it resumes a loop, perhaps with more money",
  pause: "it stops the loop from holding the agent",
  cancel: "it ends the loop for good",
  criteria: "it changes what must be true at the end",
  approve: "it accepts changed tests or protected files",
  trust: "it lets loop run commands that came with the project",
  undo: "it puts back files as they were before",
  task: "it changes the plan",
  plan: "it approves the commands of a plan",
  "review resolve": "it says in your name what becomes of a finding",
  learn: "it changes what later loops are told",
  tell: "it speaks to the agent in your name",
  install: "it changes the settings of an agent",
  uninstall: "it changes the settings of an agent",
};
const ANY_MEANING = "it may bring in commands, speak for you, or change what ends the loop";

/** Why a person is asked about a line. */
export function whyAsked(line: string, typed: string | null): string {
  const own = firstAsked(line, typed) ?? [];
  const known = [own.join(" "), own[0] ?? ""].find((words) => Object.hasOwn(MEANINGS, words));
  const command = known === undefined ? "" : `loop ${known}: `;
  return `[LOOP] This is yours to decide: ${command}${known === undefined ? ANY_MEANING : MEANINGS[known]}.`;
}

/** What scores a file prints some of it, and the host decides which files its agent may read. */
function readsSpecFile([, word, ...rest]: readonly string[]): boolean {
  return word === "score" && rest.some((each, at) => /^(?:-\w*f|--f)/.test(each) && rest[at + 1] !== "-");
}

/** Commands that only pass on what the user says. */
export const RESOLVING = "review resolve";
const THEIR_WORDS: ReadonlySet<string> = new Set([RESOLVING, "recall"]);

/**
 * A line that is exactly one command with the user's word. They are asked about it, so it runs only if it is their word: nobody has to
 * type it a second time.
 */
export function askedCommand(line: string): { readonly command: string; readonly args: string } | null {
  const [loop, ...words] = simpleCommand(line) ?? [];
  if (loop !== "loop") return null;
  const length = [2, 1].find((count) => THEIR_WORDS.has(words.slice(0, count).join(" ")));
  if (length === undefined) return null;
  return { command: words.slice(0, length).join(" "), args: words.slice(length).join(" ") };
}

/** Whether a line records what a reviewer found. */
export function isReview(line: string): boolean {
  return ownCommandsIn(line).some(([word, second]) => word === "review" && second === "record");
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
