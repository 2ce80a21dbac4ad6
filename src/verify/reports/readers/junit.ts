import { type RunnerReport, runnerReport } from "../test-report.ts";

const ROOT = /<testsuites?[\s>]/g;
const TAG = /^<(\/?)(testsuites?|testcase|skipped|failure|error)(?=[\s/>])/;
const LONGEST_TAG = 4096;

interface Case {
  readonly name: string;
  result: "passed" | "failed" | "skipped" | "unstarted";
}

/** JUnit's XML on standard output. What tests print is in it as data and is skipped. */
export function readJunit(text: string): readonly RunnerReport[] {
  ROOT.lastIndex = 0;
  const start = ROOT.exec(text)?.index;
  return start === undefined ? [] : [documentFrom(text, start)];
}

/** All documents of the output as one report, in one pass over the text. */
function documentFrom(text: string, start: number): RunnerReport {
  const cases: Case[] = [];
  let depth = 0;
  let current: Case | null = null;
  for (let at = start; at !== -1; at = text.indexOf("<", at + 1)) {
    const data = text.startsWith("<![CDATA[", at) ? "]]>" : text.startsWith("<!--", at) ? "-->" : null;
    if (data !== null) {
      const end = text.indexOf(data, at);
      if (end === -1) break;
      at = end;
      continue;
    }
    const found = TAG.exec(text.slice(at, at + 16));
    if (found === null) continue;
    const [, slash, element = ""] = found;
    const tag = tagAt(text, at);
    if (tag === null) continue;
    const isEmpty = tag.endsWith("/>");
    if (element.startsWith("testsuite")) depth += slash === "/" ? -1 : isEmpty ? 0 : 1;
    else if (element === "testcase") {
      if (slash === "/") current = null;
      else {
        const opened: Case = { name: nameOf(tag), result: "passed" };
        cases.push(opened);
        current = isEmpty ? null : opened;
      }
    } else if (current !== null && slash === "") current.result = resultOf(element, tag);
    at += tag.length - 1;
  }
  return reported(cases, depth > 0);
}

/** How pytest reports a module it could not load: as a test case. */
const UNSTARTED = / message="(?:collection failure|failed on setup)/;

function resultOf(element: string, tag: string): Case["result"] {
  if (element === "skipped") return "skipped";
  return UNSTARTED.test(tag) ? "unstarted" : "failed";
}

/** The tag that begins here, with quoted values that may hold a ">"; null if it does not end soon. */
function tagAt(text: string, start: number): string | null {
  const piece = text.slice(start, start + LONGEST_TAG);
  let quote = "";
  for (let index = 0; index < piece.length; index += 1) {
    const character = piece[index] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return piece.slice(0, index + 1);
  }
  return null;
}

function nameOf(tag: string): string {
  const of = (attribute: string): string =>
    unescaped(new RegExp(`\\s${attribute}=(?:"([^"]*)"|'([^']*)')`).exec(tag)?.[1] ?? "");
  return [of("classname"), of("name")].filter((part) => part !== "").join(" > ");
}

const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["amp", "&"],
]);

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES.get(name) ?? "");
}

function reported(cases: readonly Case[], isCutShort: boolean): RunnerReport {
  const of = (result: Case["result"]): number => cases.filter((each) => each.result === result).length;
  return runnerReport({
    runner: "JUnit",
    from: -1,
    to: -1,
    passed: of("passed"),
    failed: of("failed"),
    skipped: of("skipped"),
    errors: of("unstarted"),
    names: cases.filter(({ result }) => result === "passed" || result === "failed").map(({ name }) => name),
    isCutShort,
    isCounted: true,
  });
}
