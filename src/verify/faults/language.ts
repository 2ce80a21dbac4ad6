import type { PieceFinder } from "./literals-and-comments.ts";

/** What has to be known of a language to put a fault into it that still compiles. */
export interface Language {
  readonly files: RegExp;
  /** In the first line of a script. */
  readonly interpreter?: RegExp;
  readonly pieces: readonly PieceFinder[];
  readonly heredoc?: RegExp;
  readonly word: RegExp;
  /** What makes a block. */
  readonly blocks: "braces" | "indentation";
  /** Whether a compiler rejects what doesn't fit in type. */
  readonly isTyped: boolean;
  /** Whether the end of a line ends a statement. */
  readonly endsWithLine: boolean;
  /** Where the condition of an `if` is. */
  readonly condition: "parentheses" | "before-brace" | "before-colon" | "before-then" | "line" | "command";
  readonly conditionWords: RegExp;
  readonly negated: (expression: string) => string;
  /** Words or operators that join conditions, and what each becomes. */
  readonly joins: ReadonlyMap<string, string>;
  /** Comparisons that it writes in a way of its own, and what each becomes; null: it has no such opposite. */
  readonly comparisons?: ReadonlyMap<string, string | null>;
  readonly booleans: readonly [isTrue: string, isFalse: string];
  /** What separates a pattern from its result: a pattern that changes may leave a case out, or be there twice. */
  readonly arm?: "=>" | "->";
  /** The statement, so that it is never executed. */
  readonly skipped: (statement: string) => string;
  /** A statement that must stay, such as one that a compiler counts on. */
  readonly kept?: RegExp;
  /** The value that a function returns, changed; null: nothing of its type is known to compile. */
  readonly returned: (value: string, returnType: string | null) => string | null;
  /** What a returned value begins with that `returned` doesn't change. */
  readonly unreturnable?: RegExp;
  /** Its last expression is what a function returns. */
  readonly endsWithValue?: boolean;
  /** The first line of a file that type checkers leave alone. */
  readonly unchecked?: string;
  /** A line that only marks what follows; without: one that begins with `@`. null: no line does. */
  readonly mark?: RegExp | null;
  /** The type in the words of a function's header, without its name and parameters. */
  readonly returnType?: (header: string) => string | null;
}
