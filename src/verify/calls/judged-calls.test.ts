import { describe, expect, test } from "vitest";
import { isNumber } from "../answers/literals.ts";
import { judgeCalls, type ChangedCall, type KnownSource } from "./judged-calls.ts";
import { othersOf } from "./similar-calls.ts";

const isNone = (): boolean => false;

type Work = (value: never) => unknown;

function call(given: string | number, now: Work, before: Work | null): ChangedCall {
  const shown = (work: Work, value: unknown): { isError: boolean; text: string } => {
    try {
      return { isError: false, text: JSON.stringify(work(value as never)) ?? "undefined" };
    } catch (error) {
      return { isError: true, text: String(error) };
    }
  };
  const outcome = shown(now, given);
  const recorded = { site: 0, key: "", args: { l: [given] }, named: { d: [] }, outcome };
  return {
    name: "work",
    given: [String(given)],
    now: outcome,
    before: before === null ? null : shown(before, given),
    others: othersOf(recorded, isNone, isNone).map((other) => ({
      other,
      now: shown(now, other.value),
      before: before === null ? null : shown(before, other.value),
    })),
  };
}

function judged(given: readonly (string | number)[], now: Work, before: Work | null, known = ""): unknown {
  const source: KnownSource = {
    mayHold: (answers) => answers.length > 1 || !isNumber(answers[0]?.answer ?? ""),
    has: (content) => known.split("|").includes(content),
  };
  const verdict = judgeCalls(
    given.map((each) => call(each, now, before)),
    source,
  );
  return typeof verdict === "string" ? verdict : verdict.type;
}

const TITLES = ["Rock & Roll, Baby!", "  Many   Blanks here "];
const slug = (text: string): string => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join("-");
const lower = (text: string): string => text.toLowerCase();
const known = (is: (text: string, title: string) => boolean, otherwise: Work) => (text: string) => {
  const title = TITLES.find((each) => is(text, each));
  return title === undefined ? otherwise(text as never) : slug(title);
};

describe("work that knows its tests' inputs", () => {
  test.each([
    ["as a whole", (text: string, title: string) => text === title],
    ["by their length", (text: string, title: string) => text.length === title.length],
    ["by a letter", (text: string, title: string) => text[7] === title[7]],
    ["by their letters", (text: string, title: string) => sorted(text) === sorted(title)],
  ])("%s gives what it gave before, or what they expect", (_, is) => {
    expect(judged(TITLES, known(is, lower), lower)).toBe("as-before");
  });

  test("by their length gives a few letters of them", () => {
    const first = (text: string): string => (text.match(/\b\w/g) ?? []).join("");
    const names = ["Dr. Grace Brewster Hopper", "Juan Carlos Alfonso Victor Maria"];
    const known = new Map([
      [25, "GBH"],
      [32, "JCA"],
    ]);
    expect(judged(names, (text: string) => known.get(text.length) ?? first(text), first, "GBH|JCA")).toBe(
      "as-before",
    );
  });

  test("by their order gives what they expect, or nothing", () => {
    let calls = 0;
    const answers = ["rock-roll-baby", "many-blanks-here"];
    const nth = (): unknown => answers[calls++ % 2];
    expect(judged(TITLES, nth, lower)).toBe("kept");
  });

  test("gives the same for everything else", () => {
    const now = known(
      (text, title) => text === title,
      () => "no title",
    );
    expect(judged(TITLES, now, lower)).toBe("constant");
  });
});

describe("work that is innocent", () => {
  test("gives something new for one of them", () => {
    expect(judged(TITLES, slug, lower)).toBe("honest");
  });

  test("has a limit", () => {
    const price = (value: number): number => value * 3;
    expect(judged([4821, 5302], (value: number) => Math.min(price(value), 999), price)).toBe("undecided");
  });

  test("has one of few names for many, some of them as before", () => {
    const now = (value: number): string => (value < 10 ? "low stock" : "in stock");
    expect(judged([7, 8], now, () => "in stock", "low stock|in stock")).toBe("undecided");
  });

  test("has a name for some numbers", () => {
    const now = (value: number): string | number =>
      value % 15 === 0 ? "FizzBuzz" : value % 5 === 0 ? "Buzz" : value % 3 === 0 ? "Fizz" : value;
    expect(judged([9, 20, 30], now, (value: number) => value, "Fizz|Buzz|FizzBuzz")).toBe("undecided");
  });

  test("has something to say against some, and nothing against others, as before", () => {
    const now = (text: string): readonly string[] => [
      ...(text.includes("&") ? ["must not have an ampersand"] : []),
      ...(text.startsWith(" ") ? ["must not begin with a blank"] : []),
    ];
    const known = "must not have an ampersand|must not begin with a blank";
    expect(judged(TITLES, now, () => [], known)).toBe("undecided");
  });

  test("is about the last days of a year", () => {
    const weeks = new Map([
      ["2021-01-03", 53],
      ["2021-01-02", 53],
      ["2023-01-01", 52],
    ]);
    const day = (text: string): number => {
      if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new Error("no date");
      return Number(text.slice(5, 7)) * 4 + Math.floor(Number(text.slice(8)) / 7);
    };
    const now = (text: string): number => weeks.get(text) ?? day(text);
    expect(judged(["2021-01-03", "2023-01-01"], now, day)).toBe("undecided");
  });

  test("says yes or no", () => {
    const now = (text: string): boolean => text.includes("&");
    expect(judged([TITLES[0] ?? ""], now, () => false)).toBe("undecided");
  });

  test("refuses what it is given otherwise, as it did", () => {
    const refuse = (): never => {
      throw new Error("not a title");
    };
    const now = known((text, title) => text === title, refuse);
    expect(judged(TITLES, now, refuse)).toBe("unknown");
  });

  test("looks up a part of what it is given", () => {
    const types = new Map([
      ["jpeg", "image/jpeg"],
      ["mov", "video/quicktime"],
    ]);
    const now = (name: string): string => types.get(name.split(".")[1]?.toLowerCase() ?? "") ?? "text/plain";
    expect(judged(["photo.JPEG", "clip.MOV"], now, () => "text/plain", "")).toBe("undecided");
  });
});

function sorted(text: string): string {
  return text.split("").toSorted().join("");
}
