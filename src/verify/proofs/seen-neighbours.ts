import { failingLine } from "../../core/output/failing-line.ts";
import { isMadeOf } from "../answers/given-answer.ts";
import type { Neighbour } from "../answers/neighbours.ts";
import { givenAnswer, type TestedInput, type TestedStatement } from "../answers/tested-statements.ts";
import type { WrittenInput } from "../answers/written-test.ts";

/** How many runs, with how many changed inputs, in how many ways, have to say the same. */
const ENOUGH_RUNS = 3;
const ENOUGH_NEIGHBOURS = 6;
const ENOUGH_WAYS = 4;
/** How many different results show that each input was really worked on, and not just unknown. */
const ENOUGH_RESULTS = 3;

/** A value of a test, changed. */
export interface ChangedValue {
  readonly statement: TestedStatement;
  readonly place: WrittenInput | TestedInput;
  readonly value: string;
}

export interface ChangedInput extends ChangedValue {
  readonly how: Neighbour;
}

export interface Accusation {
  /** What came out: what the source gave before, one and the same, or what the tests expect. */
  readonly type: "as-before" | "constant" | "kept";
  readonly examples: readonly string[];
  /** What came of one of them. */
  readonly said: string | null;
}

/** What came of the inputs, changed in one way. */
interface SeenNeighbour {
  readonly inputs: readonly ChangedInput[];
  readonly result: "as-before" | "other" | "kept";
  /** What was told; null: nothing failed. */
  readonly lines: ReadonlySet<string> | null;
  readonly output: string | null;
}

/** What came of the neighbours so far. */
export class SeenNeighbours {
  readonly #expected: number;
  readonly #isSure: boolean;
  /** What is expected follows what is given, so it can't be the name of a kind of inputs. */
  readonly #isMade: boolean;
  /** The change has enough in it for the answers; else only what each input gave before can tell. */
  readonly #mayHold: boolean;
  readonly #seen: SeenNeighbour[] = [];

  constructor(statements: readonly TestedStatement[], { mayHold }: { readonly mayHold: boolean }) {
    this.#mayHold = mayHold;
    this.#expected = new Set(statements.map(({ expected }) => expected.content)).size;
    this.#isSure = statements.every(({ isSure }) => isSure);
    const made = statements.map(givenAnswer).filter(({ answer, given }) => isMadeOf(answer, given));
    this.#isMade = new Set(made.map(({ answer }) => answer)).size > 1;
  }

  add(seen: SeenNeighbour): void {
    this.#seen.push(seen);
  }

  get mayBeAsBefore(): boolean {
    return this.#seen.every(({ result }) => result !== "other");
  }

  /** Whether one of the accusations is still possible. */
  isOpen(): boolean {
    return this.mayBeAsBefore || (this.#mayHold && this.#mayBeConstant());
  }

  /** A test that expects two different things, and would get one and the same. */
  #mayBeConstant(): boolean {
    const told = this.#seen.flatMap(({ lines }) => (lines === null ? [] : [lines]));
    const [most = new Set()] = told.toSorted((one, other) => other.size - one.size);
    // Where an input is still answered, less is told.
    const isOne = told.every((lines) => [...lines].every((line) => most.has(line)));
    const isUsed = this.#isMade || this.#seen.every(({ result }) => result !== "kept");
    return this.#expected > 1 && isOne && isUsed;
  }

  told(): readonly ChangedInput[] {
    return this.#seen.flatMap(({ inputs }) => inputs);
  }

  accusation(): Accusation | null {
    const of = (wanted: SeenNeighbour["result"]): readonly SeenNeighbour[] =>
      this.#seen.filter(({ result }) => result === wanted);
    const kept = of("kept");
    const asBefore = of("as-before");
    const others = this.#isMade && asBefore.length > 1 ? [...asBefore, ...kept] : asBefore;
    if (this.mayBeAsBefore && isEnough(others) && (this.#mayHold || resultsOf(asBefore) >= ENOUGH_RESULTS))
      return accusing("as-before", others);
    if (!this.#mayHold) return null;
    const told = this.#seen.filter(({ result }) => result !== "kept");
    if (this.#mayBeConstant() && told.length > 1 && isEnough(this.#seen))
      return accusing("constant", [...told, ...kept]);
    if (this.#isSure && this.#expected > 1 && kept.length === this.#seen.length && isEnough(kept))
      return accusing("kept", kept);
    return null;
  }
}

/** How many different things were told, beside the inputs themselves. */
function resultsOf(seen: readonly SeenNeighbour[]): number {
  const told = seen.map(({ inputs, lines }) =>
    [...(lines ?? [])]
      .map((line) => inputs.reduce((text, { value }) => withoutInput(text, value), line))
      .toSorted()
      .join("\n"),
  );
  return new Set(told).size;
}

/** What is in front of a result. */
const RESULT = /(?:\b(?:actual|got|received|but|was|returned)|\(string\)|^\s*\+)\W{0,12}$/i;

/** Without an input that a title has; a source may also give what it is given. */
function withoutInput(line: string, value: string): string {
  return line.replaceAll(value, (found, at: number) => (RESULT.test(line.slice(0, at)) ? found : ""));
}

function isEnough(seen: readonly { readonly inputs: readonly ChangedInput[] }[]): boolean {
  const all = seen.flatMap(({ inputs }) => inputs);
  const neighbours = new Set(all.map(({ place, value }) => `${place.from} ${value}`));
  const ways = new Set(all.map(({ how }) => how));
  return seen.length >= ENOUGH_RUNS && neighbours.size >= ENOUGH_NEIGHBOURS && ways.size >= ENOUGH_WAYS;
}

function accusing(
  type: Accusation["type"],
  seen: readonly { readonly inputs: readonly ChangedInput[]; readonly output: string | null }[],
): Accusation {
  const examples = seen.flatMap(({ inputs: [first] }) => (first === undefined ? [] : [first.value]));
  const [first] = seen;
  return { type, examples, said: first?.output == null ? null : failingLine(first.output) };
}
