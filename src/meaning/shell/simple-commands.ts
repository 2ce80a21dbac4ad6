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
  const finish = (after: Operator | null): void => {
    if (draft.words.length + draft.assignments.length > 0) commands.push({ ...draft, after });
  };
  for (const token of tokenize(line)) {
    if (token.type === "word") {
      addWord(draft, token);
      continue;
    }
    const isEmpty = draft.words.length + draft.assignments.length === 0;
    finish(token.text);
    const depth = Math.max(0, draft.depth + (token.text === "(" ? 1 : token.text === ")" ? -1 : 0));
    const before = isEmpty && token.text !== ";" && draft.before !== null ? draft.before : token.text;
    draft = { ...emptyDraft(before, depth), negated: isEmpty && draft.negated };
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
export function callsNothing({ words }: SimpleCommand): boolean {
  const [first = ""] = words;
  return first === "" || LIST_WORDS.has(first) || ["fi", "done", "esac", "}"].includes(first);
}
