import { tokenize, type Operator } from "./tokenize.ts";

/** One program with its arguments, and how it is joined to its neighbours. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** `NAME=value` before the program, or alone. */
  readonly assignments: readonly (readonly [name: string, value: string])[];
  /** Command lines within the words: `$(…)`. */
  readonly inner: readonly string[];
  readonly before: Operator | null;
  readonly after: Operator | null;
  readonly negated: boolean;
  /** `if`, `while` or `until`: its exit code decides what runs, and is then forgotten. */
  readonly isCondition: boolean;
  /** How many parentheses it is inside. */
  readonly depth: number;
}

const OPENING_WORDS = new Set(["then", "else", "do", "{", "time"]);
const CONDITION_WORDS = new Set(["if", "elif", "while", "until"]);
const LIST_WORDS = new Set(["for", "case", "select", "function"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/;

/** The programs a line calls, in order; loops and conditions are read as if everything ran. */
export function simpleCommands(line: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let draft = emptyDraft(null, 0);
  // What follows a group follows its last command, which decides the group's exit code.
  const follow = (at: number, after: Operator | null): void => {
    const last = commands[at];
    if (last !== undefined) commands[at] = { ...last, after };
  };
  const finish = (after: Operator | null): void => {
    if (isEmpty(draft)) {
      if (draft.before === ")") follow(commands.length - 1, after);
      return;
    }
    commands.push({ ...draft, after });
    if (isGroupEnd(draft)) follow(commands.length - 2, after);
  };
  for (const token of tokenize(line)) {
    if (token.type === "word") {
      addWord(draft, token);
      continue;
    }
    finish(token.text);
    const wasEmpty = isEmpty(draft);
    const depth = Math.max(0, draft.depth + (token.text === "(" ? 1 : token.text === ")" ? -1 : 0));
    const keepsBefore = wasEmpty && token.text !== ";" && draft.before !== null && draft.before !== ")";
    const before = keepsBefore ? draft.before : token.text;
    draft = { ...emptyDraft(before, depth), negated: wasEmpty && draft.negated };
  }
  finish(null);
  return commands;
}

interface Draft {
  words: string[];
  assignments: (readonly [string, string])[];
  inner: string[];
  before: Operator | null;
  negated: boolean;
  isCondition: boolean;
  depth: number;
}

function emptyDraft(before: Operator | null, depth: number): Draft {
  return { words: [], assignments: [], inner: [], before, negated: false, isCondition: false, depth };
}

function isEmpty({ words, assignments }: Draft): boolean {
  return words.length + assignments.length === 0;
}

function addWord(
  draft: Draft,
  {
    text,
    inner,
    quoted,
  }: { readonly text: string; readonly inner: readonly string[]; readonly quoted: boolean },
): void {
  draft.inner.push(...inner);
  if (draft.words.length === 0 && !quoted) {
    if (OPENING_WORDS.has(text)) return;
    if (text === "!") {
      draft.negated = !draft.negated;
      return;
    }
    if (CONDITION_WORDS.has(text)) {
      draft.isCondition = true;
      return;
    }
  }
  const assignment = draft.words.length === 0 ? ASSIGNMENT.exec(text) : null;
  if (assignment === null) draft.words.push(text);
  else draft.assignments.push([assignment[1] ?? "", assignment[2] ?? ""]);
}

/** `for`, `case` and `fi` are shell keywords and call nothing. */
export function callsNothing(command: Pick<SimpleCommand, "words">): boolean {
  const [first = ""] = command.words;
  return first === "" || LIST_WORDS.has(first) || isGroupEnd(command);
}

function isGroupEnd({ words: [first = ""] }: Pick<SimpleCommand, "words">): boolean {
  return ["fi", "done", "esac", "}"].includes(first);
}

/** In an `if`, they look at anything. Others look at a file, or at what comes in. */
const CONDITIONS: ReadonlySet<string> = new Set("test [ [[".split(" "));

const COMPARERS: ReadonlySet<string> = new Set("test [ [[ grep egrep fgrep rg diff cmp comm jq".split(" "));

export function isComparer({ words }: Pick<SimpleCommand, "words">): boolean {
  return COMPARERS.has(words[0] ?? "");
}

/**
 * For each command of a line, whether something else judges it: it is piped to a comparing program, or the next one compares.
 * `sh calc.sh | grep -q 3`, `sh build.sh && test -f out`.
 */
export function comparedCommands(commands: readonly SimpleCommand[]): readonly boolean[] {
  const compared: boolean[] = [];
  for (let at = commands.length - 1; at >= 0; at -= 1) {
    const next = commands[at + 1];
    compared[at] =
      next !== undefined &&
      ((isComparer(next) && !(next.isCondition && CONDITIONS.has(next.words[0] ?? ""))) ||
        (commands[at]?.after === "|" && (isComparer(next) || compared[at + 1] === true)));
  }
  return compared;
}

/** What a shell does itself. */
const BUILTINS = new Set(
  "cd echo test [ exit true false set export : printf pwd . source eval unset umask wait trap ulimit shift read return time exec command".split(
    " ",
  ),
);

/** These start what comes after their own options and variables. */
const LAUNCHERS = new Set(["env", "cross-env", "time", "exec", "command", "nice", "nohup"]);

/** A plain name or path; with anything else in it, only a shell could say what it calls. */
const PLAIN = /^[\w@+./-]+$/;

type Call = readonly [program: string, ...words: string[]];

/** The programs, each with its words, that a line calls for certain. */
export function calledPrograms(line: string): readonly Call[] {
  return simpleCommands(line).flatMap((command) => (callsNothing(command) ? [] : callsOf(command.words)));
}

function callsOf([program, ...words]: readonly string[]): readonly Call[] {
  if (program === undefined || !PLAIN.test(program)) return [];
  const call: readonly Call[] = BUILTINS.has(program) ? [] : [[program, ...words]];
  if (!LAUNCHERS.has(program)) return call;
  const start = words.findIndex((word) => !word.startsWith("-") && !/^\w+=/.test(word));
  return start === -1 ? call : [...call, ...callsOf(words.slice(start))];
}

/** Whether a line mends what it finds, which a check must not. */
export function mendsFiles(line: string): boolean {
  return /(?:^|\s)--(?:fix|write)(?![\w-])/.test(line);
}
