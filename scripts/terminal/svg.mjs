// Draws a screen as a terminal window.

const CELL = { width: 8.4, height: 20, font: 14 };
const MARGIN = { left: 20, top: 52, bottom: 20 };
const COLOURS = {
  window: "#0d1117",
  bar: "#161b22",
  text: "#e6edf3",
  dim: "#9da7b3",
  red: "#ff7b72",
  green: "#56d364",
  yellow: "#e3b341",
  cyan: "#76c7ff",
};
const BUTTONS = ["#ff5f57", "#febc2e", "#28c840"];

/** `title` stands in the window's bar; `alternative` is for those who listen instead of looking. */
export function svgOf(rows, { columns, title, alternative }) {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN.left);
  const height = MARGIN.top + rows.length * CELL.height + MARGIN.bottom;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(alternative)}">
<title>${escaped(alternative)}</title>
<rect width="${width}" height="${height}" rx="10" fill="${COLOURS.window}"/>
<path d="M0 34V10a10 10 0 0 1 10-10H${width - 10}a10 10 0 0 1 10 10V34Z" fill="${COLOURS.bar}"/>
${BUTTONS.map((colour, index) => `<circle cx="${20 + index * 20}" cy="17" r="6" fill="${colour}"/>`).join("\n")}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.font}" xml:space="preserve">
<text x="${width / 2}" y="22" text-anchor="middle" font-size="12" fill="${COLOURS.dim}">${escaped(title)}</text>
${rows.flatMap((pieces, row) => textsOf(pieces, row)).join("\n")}
</g>
</svg>
`;
}

/** Each piece is told its place and length, so that columns stand below each other in any font. */
function textsOf(pieces, row) {
  let column = 0;
  const y = MARGIN.top + row * CELL.height + CELL.font;
  return pieces.flatMap(({ text, style }) => {
    const start = column + text.length - text.trimStart().length;
    column += text.length;
    const shown = text.trim();
    if (shown === "") return [];
    const fill = COLOURS[style.dim ? "dim" : (style.colour ?? "text")];
    const weight = style.bold ? ' font-weight="bold"' : "";
    const x = (MARGIN.left + start * CELL.width).toFixed(1);
    const length = (shown.length * CELL.width).toFixed(1);
    return [
      `<text x="${x}" y="${y}" fill="${fill}"${weight} textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(shown)}</text>`,
    ];
  });
}

function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
