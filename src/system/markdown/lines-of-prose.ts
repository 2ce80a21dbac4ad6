import { parse, postprocess, preprocess } from "micromark";

/** What is quoted rather than said. */
const SHOWN = new Set(["codeFenced", "codeIndented", "codeText", "blockQuote"]);
const HTML = new Set(["htmlFlow", "htmlText"]);
const SHOWN_IN_HTML = /<!--[\s\S]*?(?:-->|$)|<(pre|script|style|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** Whether a line (counted from 1) is outside code, comments, `<pre>` and quotes, by the rules of CommonMark. */
export function linesOfProse(markdown: string): (line: number) => boolean {
  const hidden = new Set<number>();
  const hide = (from: number, to: number): void => {
    for (let line = from; line <= to; line += 1) hidden.add(line);
  };
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );
  for (const [phase, token, context] of events) {
    if (phase !== "enter") continue;
    if (SHOWN.has(token.type)) hide(token.start.line, token.end.line);
    if (HTML.has(token.type)) {
      for (const [from, to] of shownInHtml(context.sliceSerialize(token))) {
        hide(token.start.line + from, token.start.line + to);
      }
    }
  }
  return (line) => !hidden.has(line);
}

/** Line ranges, counted from 0, of comments and of preformatted HTML. */
function shownInHtml(html: string): readonly (readonly [from: number, to: number])[] {
  return [...html.matchAll(SHOWN_IN_HTML)].map((match) => {
    const from = lineBreaks(html.slice(0, match.index));
    return [from, from + lineBreaks(match[0])];
  });
}

function lineBreaks(text: string): number {
  return text.split(/\r\n|\n|\r/).length - 1;
}
