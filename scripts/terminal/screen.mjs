// What a terminal shows after a program has written to it: rows of characters, each with its style.

// oxlint-disable-next-line no-control-regex -- escape sequences are exactly what is read here
const SEQUENCE = /\u001b\[(\??)([0-9;]*)([A-Za-z])|[^\u001b\u0007]/gu;

const STYLES = {
  1: { bold: true },
  2: { dim: true },
  22: { bold: false, dim: false },
  31: { colour: "red" },
  32: { colour: "green" },
  33: { colour: "yellow" },
  36: { colour: "cyan" },
  39: { colour: "text" },
};

/** Rows of `{ text, style }`; neighbours of one style are one piece. It never scrolls. */
export function screenOf(output, columns) {
  const rows = [[]];
  let style = { colour: "text" };
  let row = 0;
  let column = 0;
  const newLine = () => {
    row += 1;
    column = 0;
    rows[row] ??= [];
  };
  const put = (character) => {
    if (column === columns) newLine();
    rows[row][column] = { character, style };
    column += 1;
  };
  const obey = (letter, numbers) => {
    if (letter === "A") row -= Math.max(1, numbers[0]);
    else if (letter === "K") rows[row].length = Math.min(rows[row].length, column);
    else if (letter === "J") {
      rows[row].length = Math.min(rows[row].length, column);
      rows.length = row + 1;
    } else if (letter === "m")
      for (const each of numbers) style = each === 0 ? { colour: "text" } : { ...style, ...STYLES[each] };
  };
  for (const [part, isPrivate, numbers, letter] of output.matchAll(SEQUENCE)) {
    if (part === "\r") column = 0;
    else if (part === "\n") newLine();
    else if (letter === undefined) put(part);
    else if (isPrivate === "") obey(letter, numbers.split(";").map(Number));
  }
  return rows.map(piecesOf);
}

function piecesOf(cells) {
  const pieces = [];
  for (const { character, style } of Array.from(cells, (cell) => cell ?? { character: " ", style: {} })) {
    const last = pieces.at(-1);
    if (last !== undefined && JSON.stringify(last.style) === JSON.stringify(style)) last.text += character;
    else pieces.push({ text: character, style });
  }
  return pieces;
}

export function textOf(rows) {
  return rows
    .map((pieces) =>
      pieces
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    )
    .join("\n")
    .trimEnd();
}
