import { useState } from "preact/hooks";
import type { QuotedLine } from "../../../../views/board.ts";
import { type Word, changedWords, painted } from "./shown-text.ts";
import { counted } from "./words.ts";

const FAILS =
  /^\s*(?:not ok|✗|✖|×|FAIL|FAILED|E\s{2,}|error|--- FAIL)|\b(?:Error|expected|AssertionError|panicked|FAILED)\b/i;

const MOST_LINES = 200;

/** Lines that say what became of a test, or what was wrong. */
const TELLS =
  /^\s*(?:not ok|ok|✔|✖|✓|✗|×|PASS|FAIL|FAILED|PASSED|E\s{2}|---|error:|expected:|actual:|Error|\w*Error\b)/;

const DULL = /^\s*ok \d+ - \/|^\s*(?:---|\.\.\.)$|# (?:SKIP|duration)|error:\s*\|-?$/;

/** Whether two outputs tell the same; how long they took, for example, isn't told. */
export function tellSame(one: string, other: string, most: number): boolean {
  const told = (text: string): string => telling(linesOf(text), most).join("\n");
  return told(one) === told(other);
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n+$/, "").split("\n");
}

/** Of a long output: the telling lines, failures first to be kept; where none tell anything, its end. */
function telling(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const told = lines.filter((line) => TELLS.test(line) && !DULL.test(line));
  if (told.length === 0) return lines.slice(-most);
  if (told.length <= most) return told;
  const failing = told.filter((line) => FAILS.test(line));
  return (failing.length === 0 ? told : failing).slice(0, most);
}

/** What a command printed, with the failing lines marked. */
export function Output({ text, most = MOST_LINES }: { readonly text: string; readonly most?: number }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = linesOf(text);
  const shown = isWhole ? lines : most < MOST_LINES ? telling(lines, most) : lines.slice(-most);
  return (
    <div class="code mono" tabIndex={0} role="group" aria-label="output">
      {lines.length > shown.length && most >= MOST_LINES && (
        <div class="more">{lines.length - shown.length} earlier lines</div>
      )}
      {shown.map((line, index) => (
        <div key={index} class={FAILS.test(line) && !/^\s*ok\b/.test(line) ? "bad" : ""}>
          {painted(line).map(({ text: part, color, isBold }, at) => (
            <span key={at} class={`${color ?? ""}${isBold ? " b" : ""}`}>
              {part}
            </span>
          ))}
        </div>
      ))}
      {lines.length > shown.length && most < MOST_LINES && (
        <button class="more" onClick={() => setIsWhole(true)}>
          Show {counted(lines.length - shown.length, "more line")}
        </button>
      )}
    </div>
  );
}

/** Changed lines, and in a pair of them the changed words. */
export function Diff({
  lines,
  most = 400,
  more = 0,
  label = "changes",
}: {
  readonly lines: readonly QuotedLine[];
  readonly most?: number;
  /** Lines that were left out already. */
  readonly more?: number;
  readonly label?: string;
}) {
  const shown = lines.slice(0, most);
  const hidden = lines.length - shown.length + more;
  return (
    <div class="code mono" tabIndex={0} role="group" aria-label={label}>
      {shown.map(({ sign, text }, index) => (
        <div key={index} class={CLASSES[sign]}>
          <span class="sign">
            {sign === "+" || sign === "-" ? sign : " "}
            <span class="sr">{sign === "+" ? "added" : sign === "-" ? "removed" : ""}</span>
          </span>
          {wordsOf(shown, index, text).map((word, at) =>
            word.isChanged ? <mark key={at}>{word.text}</mark> : <span key={at}>{word.text}</span>,
          )}
        </div>
      ))}
      {hidden > 0 && <div class="more">{counted(hidden, "more line")}</div>}
    </div>
  );
}

const CLASSES = { " ": "", "!": "bad", "+": "add", "-": "del" } as const;

/** A removed line with an added one below it, alone or each in a block of its own size, is compared word by word. */
export function wordsOf(lines: readonly QuotedLine[], index: number, text: string): readonly Word[] {
  const whole = [{ text, isChanged: false }];
  const sign = lines[index]?.sign;
  if (sign !== "+" && sign !== "-") return whole;
  let start = index;
  while (lines[start - 1]?.sign === "-" || lines[start - 1]?.sign === "+") start -= 1;
  const removed: number[] = [];
  const added: number[] = [];
  for (let at = start; lines[at]?.sign === "-" || lines[at]?.sign === "+"; at += 1)
    (lines[at]?.sign === "-" ? removed : added).push(at);
  const own = (sign === "-" ? removed : added).indexOf(index);
  const other = (sign === "-" ? added : removed)[own];
  const pair = other === undefined ? undefined : lines[other]?.text;
  if (pair === undefined) return whole;
  const changed = sign === "-" ? changedWords(text, pair) : changedWords(pair, text);
  return changed === null ? whole : sign === "-" ? changed.before : changed.after;
}
