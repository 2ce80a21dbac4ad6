/** A terminal that knows as much as our views need: lines, wrapping, and where the cursor is. It never scrolls. */
export class Emulator {
  columns: number;
  readonly rows = 20;
  lines: string[] = [""];
  cursorShown = true;
  writes = 0;
  frames = 0;
  #row = 0;
  #column = 0;
  #wraps = true;

  constructor(columns: number) {
    this.columns = columns;
  }

  readonly write = (text: string): void => {
    this.writes += 1;
    // oxlint-disable-next-line no-control-regex -- escape sequences are exactly what is read here
    for (const [part] of text.matchAll(/\u001b\[\??[0-9]*[A-Za-z]|[^\u001b]/g)) {
      if (part.length === 1) this.#put(part);
      else this.#obey(part);
    }
  };

  /** As terminals do that wrap lines anew. */
  resize(columns: number): void {
    this.columns = columns;
    const below = this.lines.length - this.#row;
    this.lines = this.lines.flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "g")) ?? [""]);
    this.#row = this.lines.length - below;
  }

  get text(): string {
    return this.lines.join("\n").trimEnd();
  }

  #put(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#newLine();
    else {
      if (this.#column === this.columns && this.#wraps) this.#newLine();
      const at = Math.min(this.#column, this.columns - 1);
      const line = (this.lines[this.#row] ?? "").padEnd(at);
      this.lines[this.#row] = line.slice(0, at) + character + line.slice(at + 1);
      this.#column = at + 1;
    }
  }

  #newLine(): void {
    this.#row += 1;
    this.#column = 0;
    this.lines[this.#row] ??= "";
  }

  #obey(sequence: string): void {
    const line = this.lines[this.#row] ?? "";
    switch (sequence.replace("\u001b", "")) {
      case "[?25l":
        this.cursorShown = false;
        return;
      case "[?25h":
        this.cursorShown = true;
        return;
      case "[?7l":
        this.#wraps = false;
        return;
      case "[?7h":
        this.#wraps = true;
        return;
      case "[K":
        this.lines[this.#row] = line.slice(0, this.#column);
        return;
      case "[J":
      case "[0J":
        this.lines[this.#row] = line.slice(0, this.#column);
        this.lines.length = this.#row + 1;
        return;
      case "[?2026h":
      case "[?2026l":
        this.frames += sequence.endsWith("h") ? 1 : 0;
        return;
      default:
        this.#move(sequence);
    }
  }

  #move(sequence: string): void {
    const [, amount, direction] = /^\[([0-9]+)([AG])$/.exec(sequence.slice(1)) ?? [];
    if (direction === "A") this.#row = Math.max(0, this.#row - Number(amount));
    else if (direction === "G") this.#column = Number(amount) - 1;
    else throw new Error(`unknown sequence ${JSON.stringify(sequence)}`);
  }
}
