export interface DiffLine {
  readonly sign: "+" | "-" | " " | "…";
  readonly text: string;
}

const CONTEXT = 2;

/** A line diff of two texts, with some context. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  return withContext(allLines(linesOf(before), linesOf(after)));
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** The classic table of longest common suffixes; settings are short. */
function allLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ sign: " ", text: before[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: "-", text: before[i] ?? "" });
      i += 1;
    } else {
      lines.push({ sign: "+", text: after[j] ?? "" });
      j += 1;
    }
  }
  return lines;
}

function withContext(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== " "),
  );
  return lines.flatMap((line, index) => {
    if (isShown[index] === true) return [line];
    return isShown[index - 1] === true ? [{ sign: "…", text: "" } as const] : [];
  });
}
