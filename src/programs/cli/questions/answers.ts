/** What was answered at the terminal, as the command line that would have said it, so that a command that fails loses none of it. */
export class Answers {
  readonly #flags: string[] = [];
  readonly #criteria = new Map<string, string>();
  #spec: string | null = null;

  /** Said by flags. */
  addFlags(...words: readonly string[]): void {
    this.#flags.push(...words);
  }

  /** What `-c` was given needs another form to be understood without a question. */
  settleCriterion(given: string, settled: string): void {
    this.#criteria.set(given, settled);
  }

  setSpec(spec: string): void {
    this.#spec = spec;
  }

  /** They are on record elsewhere by now. */
  forget(): void {
    this.#flags.length = 0;
    this.#criteria.clear();
    this.#spec = null;
  }

  get isEmpty(): boolean {
    return this.#flags.length === 0 && this.#criteria.size === 0 && this.#spec === null;
  }

  get flags(): readonly string[] {
    return this.#flags;
  }

  get spec(): string | null {
    return this.#spec;
  }

  criterion(given: string): string {
    return this.#criteria.get(given.trim()) ?? given;
  }
}
