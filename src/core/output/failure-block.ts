import type { FailureForm } from "./failure-forms.ts";
import { isDetail, isNoise, placesIn } from "./line-kinds.ts";
import { failingIn, failingText } from "./failing-line.ts";

/** What failed: the message, and the test and the place it belongs to, where the output has them. */
export interface Failing {
  readonly test: string | null;
  readonly message: string;
  readonly place: string | null;
}

const LONGEST_BLOCK = 200;
const LONGEST_NAME = 9;

/** The first failure that one of these forms finds; the first form that does decides. */
export function inForms(forms: readonly FailureForm[], lines: readonly string[]): Failing | null {
  for (const form of forms) {
    const found = inForm(form, lines);
    if (found !== null) return found;
  }
  return null;
}

/** The first failure of this form that says what went wrong. */
function inForm(form: FailureForm, lines: readonly string[]): Failing | null {
  const first = form.below === undefined ? 0 : lines.findIndex((line) => form.below?.test(line)) + 1;
  if (form.below !== undefined && first === 0) return null;
  for (let line = first; line < lines.length; line += 1) {
    const groups = headingAt(form, lines, line);
    if (groups === null) continue;
    const failing = failureAt(form, groups, lines, line);
    if (failing !== null && !SAYS_NOTHING.test(failing.message)) return failing;
  }
  return null;
}

/** A parent that failed because of its children, or a file because of its tests. */
const SAYS_NOTHING = /^'?(?:test failed|\d+ subtests? failed|.{0,80}: command not found in test)'?$/;

type Groups = { readonly [name: string]: string | undefined };

function headingAt(form: FailureForm, lines: readonly string[], line: number): Groups | null {
  if (form.after?.test(lines[line - 1] ?? "") === false) return null;
  return form.heading.exec(lines[line] ?? "")?.groups ?? (form.heading.test(lines[line] ?? "") ? {} : null);
}

function failureAt(
  form: FailureForm,
  groups: Groups,
  lines: readonly string[],
  line: number,
): Failing | null {
  const named = nameFrom(form, groups, lines, line);
  const below = blockBelow(form, lines, named.line);
  const above = form.since === undefined ? [] : blockAbove(form.since, lines, line);
  const own = groups["message"] === undefined ? null : whole(groups["message"], below);
  const message = own ?? messageIn(form, below) ?? messageIn(form, above);
  const place = placeOf(form, groups, [...below, ...above], lines, line);
  if (message === null || (form.needsPlace === true && place === null)) return null;
  return { test: named.test, message, place };
}

function nameFrom(
  { nameEnds }: FailureForm,
  { test }: Groups,
  lines: readonly string[],
  line: number,
): { readonly test: string | null; readonly line: number } {
  const first = plain(test ?? "");
  if (nameEnds === undefined) return { test: first === "" ? null : first, line };
  const parts = [first, ...lines.slice(line + 1, line + LONGEST_NAME).map(plain)];
  const end = Math.max(
    0,
    parts.findIndex((part) => nameEnds.test(part)),
  );
  return {
    test: parts
      .slice(0, end + 1)
      .join(" > ")
      .replace(nameEnds, ""),
    line: line + end,
  };
}

function plain(text: string): string {
  return text
    .replace(/ \[[\d.]+m?s\]$/, "")
    .replace(/[─⎯]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function blockBelow(
  { heading, until }: FailureForm,
  lines: readonly string[],
  line: number,
): readonly string[] {
  const block = lines.slice(line + 1, line + 1 + LONGEST_BLOCK);
  const end = block.findIndex((each) => heading.test(each) || until?.test(each));
  return end === -1 ? block : block.slice(0, end);
}

function blockAbove(since: RegExp, lines: readonly string[], line: number): readonly string[] {
  const block = lines.slice(Math.max(0, line - LONGEST_BLOCK), line);
  return block.slice(block.findLastIndex((each) => since.test(each)) + 1);
}

function messageIn({ messages, isMessageLast }: FailureForm, block: readonly string[]): string | null {
  if (messages === undefined) return messageFrom(block, 0);
  for (const pattern of messages) {
    const first =
      isMessageLast === true
        ? block.findLastIndex((line) => pattern.test(line))
        : block.findIndex((line) => pattern.test(line));
    if (first === -1) continue;
    const said = pattern.exec(block[first] ?? "")?.groups?.["message"];
    if (said === undefined || isNoise(said)) return messageFrom(block, first + 1);
    return whole(inner(said), block.slice(first + 1));
  }
  return details(block);
}

/** The first line that tells something. Where that is what was expected, it is all of the message. */
function messageFrom(block: readonly string[], from: number): string | null {
  const first = block.findIndex((line, index) => index >= from && (isDetail(line) || !isNoise(line)));
  if (first === -1) return null;
  const line = block[first] ?? "";
  return isDetail(line) ? details(block) : whole(inner(line), block.slice(first + 1));
}

/** A line without the marks that only frame it. */
export function inner(line: string): string {
  return line
    .replace(/^(?:E {2,}|[\s│|#])+/, "")
    .replace(/^(["'])(.*)\1$/, "$2")
    .replace(/&(quot|apos|#39|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .trim();
}

const ENTITIES: { readonly [name: string]: string } = {
  ...{ quot: '"', apos: "'", "#39": "'", lt: "<", gt: ">", amp: "&" },
};

const GOES_ON = /(?::|\bbut was)$/;
const CHANGED = /^\s*[-+] ?\S/;
const MOST_LINES = 3;

/** A message that ends in the middle goes on in the next lines, and what was expected belongs to it. */
export function whole(message: string, below: readonly string[]): string {
  const rest = CHANGED.test(message) || GOES_ON.test(message) ? paragraph(below, CHANGED.test(message)) : [];
  if (rest.length > 0) return [message, ...rest].join(" ");
  const told = details(below.slice(0, 12));
  return told === null ? message : `${message}, ${told}`;
}

/** Says which sign is whose, and nothing of what differs. */
const LEGEND = /^\s*\+ actual - expected\s*$/;

function paragraph(below: readonly string[], isDifference: boolean): readonly string[] {
  const first = below.findIndex((line) => line.trim() !== "" && !LEGEND.test(line));
  if (first === -1) return [];
  const rest = below.slice(first, first + MOST_LINES);
  const differs = isDifference || CHANGED.test(rest[0] ?? "");
  const end = rest.findIndex((line) => (differs ? !CHANGED.test(line) : isNoise(line)));
  return (end === -1 ? rest : rest.slice(0, end)).map(inner);
}

/** What was expected and what was there. */
function details(block: readonly string[]): string | null {
  const told = block.flatMap((line, index) => {
    if (!isDetail(line)) return [];
    const label = inner(line).replace(/(?<=:) *[|>][+-]?$/, "");
    return [label.endsWith(":") ? `${label} ${inner(block[index + 1] ?? "")}` : label];
  });
  return told.length === 0 ? null : told.slice(0, MOST_LINES).join(", ");
}

function placeOf(
  { isPlaceLast }: FailureForm,
  groups: Groups,
  block: readonly string[],
  lines: readonly string[],
  line: number,
): string | null {
  if (groups["line"] !== undefined && groups["file"] !== undefined)
    return `${groups["file"]}:${groups["line"]}`;
  if (groups["line"] !== undefined) {
    const file = lines.slice(0, line).findLast((each) => /^\S+\.\w+$/.test(each));
    return file === undefined ? null : `${file}:${groups["line"]}`;
  }
  const own = groups["place"];
  if (own !== undefined) return own.replace(":[", ":").replace(/^\.\//, "");
  const places = block.flatMap(placesIn);
  return (isPlaceLast === true ? places.at(-1) : places[0]) ?? groups["testPlace"] ?? null;
}

const CUT = "…\n";
const LONGEST_FAILURE = 60;
/** Lines that may begin a failure: the last ones that have its words. */
const MOST_TRIED = 50;

/**
 * What is kept of an output that is too long: its end, which usually says what went wrong. A failure that is told before that end
 * comes first.
 */
export function keptPart(output: string, most: number): string {
  if (output.length <= most) return output;
  const end = output.slice(-most);
  const failing = failingIn(output);
  if (failing === null || isTold(end, failing)) return end;
  const failure = failureIn(output, failing)?.slice(0, Math.floor(most / 3));
  return failure === undefined ? end : `${failure}\n${CUT}${end.slice(failure.length + 1 + CUT.length)}`;
}

function isTold(part: string, failing: Failing): boolean {
  const told = failingIn(part);
  return told !== null && failingText(told) === failingText(failing);
}

/** The lines of an output that tell a failure by themselves. */
function failureIn(output: string, failing: Failing): string | undefined {
  const words = (failing.test ?? failing.message).slice(0, 60);
  const lines = output.split("\n");
  const beginning = lines.flatMap((line, index) => (line.includes(words) ? [index] : []));
  return beginning
    .slice(0, MOST_TRIED)
    .map((at) => lines.slice(at, at + LONGEST_FAILURE).join("\n"))
    .findLast((part) => isTold(part, failing));
}
