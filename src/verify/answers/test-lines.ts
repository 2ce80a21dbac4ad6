const ASSERTS =
  /\b(?:assert\w*|expect\w*|should\w*|require\w*|is|ok|is_deeply|like|same|equal\w*|check\w*|eq|CHECK\w*|REQUIRE\w*|Errorf|Fatalf)\b[!?]?\s*[("'[{\s]|\[\s+"\$/i;
const SETS_UP =
  /^\s*(?:RSpec\.)?(?:import|from|use|using|require\w*|include|#|\/\/|\*|package|module|source|load|describe|context|it|test|specify|def|func|fn|function|sub|class|public|@test|public|void)\b|\b(?:require|import)\s*\(|^\s*[#/*]/;
const REPEATS = /\b(?:for|foreach|each|forEach|parametrize|dataProvider|rstest|times|map|while|table)\b/;
/** The line that begins a test, and says what it is called. */
const TITLE = /^\s*(?:RSpec\.)?(?:@test|it|test|describe|context|specify)\b.*(?:\bdo|\{)\s*$/;

/** The lines of a test, and what each of them is for. */
export class TestLines {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split("\n");
  }

  asserts(line: number): boolean {
    return ASSERTS.test(this.#at(line));
  }

  setsUp(line: number): boolean {
    return SETS_UP.test(this.#at(line));
  }

  isTitle(line: number): boolean {
    return TITLE.test(this.#at(line));
  }

  /** Whether something is done for each row of a table. */
  repeats(first: number, last: number): boolean {
    return this.#lines.slice(first - 1, last).some((line) => REPEATS.test(line));
  }

  /** The first line of the test around a line, with its decorators. */
  blockAround(line: number): number {
    let start = line;
    while (start > 1 && !this.#beginsTest(start)) start -= 1;
    while (start > 1 && /\S/.test(this.#at(start - 1))) start -= 1;
    return start;
  }

  #beginsTest(line: number): boolean {
    return /\b(?:test|it|specify|def|func|fn|function|sub|TEST\w*|void|scenario)\b/i.test(this.#at(line));
  }

  #at(line: number): string {
    return (this.#lines[line - 1] ?? "").slice(0, 400);
  }
}
