import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  knownLearnings,
  learn,
  learningsElsewhere,
  markLearning,
  prune,
  appendLines,
  learningsPath,
  readLearningsFile,
} from "./learnings-file.ts";
import { learnedLine, type Learning, type Lesson } from "./learning.ts";
import { findLearnings, recallWith } from "./recall.ts";

const DAY = 24 * 3_600_000;
const SHOP = "/work/shop";
const OTHER = "/work/other";

function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-learnings-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function lesson(text: string, part: Partial<Lesson> = {}): Lesson {
  return { kind: "failure", context: "Fix the cart", text, confidence: 0.6, ...part };
}

function keeper(env: NodeJS.ProcessEnv = {}): {
  home: string;
  env: NodeJS.ProcessEnv;
  now: () => number;
  later: (ms: number) => void;
} {
  let now = Date.UTC(2026, 0, 5);
  return { home: temporaryFolder(), env, now: () => (now += 1), later: (ms) => void (now += ms) };
}

function textsOf(learnings: readonly Learning[]): readonly string[] {
  return learnings.map(({ text }) => text);
}

describe("the file of a project", () => {
  test("keeps lessons, each once for a loop, for the user alone", () => {
    const book = keeper();
    learn(book, SHOP, [lesson("One."), lesson("Two.")], "loop-1");
    learn(book, SHOP, [lesson("One."), lesson("Two.")], "loop-1");
    const path = learningsPath(book.home, SHOP);
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2);
    expect(textsOf(knownLearnings(book, SHOP).learnings)).toEqual(["One.", "Two."]);
    expect(knownLearnings(book, OTHER).learnings).toEqual([]);
    expect([path, dirname(path)].map((each) => statSync(each).mode & 0o077)).toEqual([0, 0]);
  });

  test("gives lessons that were learned together one moment, however slow the machine is", () => {
    const slow = keeper();
    const [one, other] = learn(slow, SHOP, [lesson("First."), lesson("Second.")], "1a2b");
    expect(other?.at).toBe(one?.at);
  });

  test("never has a secret", () => {
    const book = keeper({ SHOP_TOKEN: "hunter2-hunter2-hunter2" });
    learn(
      book,
      SHOP,
      [lesson("It needs hunter2-hunter2-hunter2.", { context: "hunter2-hunter2-hunter2" })],
      null,
    );
    const text = readFileSync(learningsPath(book.home, SHOP), "utf8");
    expect(text).not.toContain("hunter2");
    expect(text).toContain("[SHOP_TOKEN withheld]");
  });

  test.each<readonly [title: string, line: string]>([
    ["a torn tail", '{"id":"0123'],
    ["no JSON", "not json at all"],
    ["a prototype", '{"__proto__":{"polluted":true},"id":"x"}'],
    ["a huge line", `{"id":"${"x".repeat(100_000)}"}`],
    ["control characters", "\u0000\u001b[31m\u0007"],
    ["bytes that are no text", "\udcff\udcfe"],
  ])("survives %s", (_, line) => {
    const book = keeper();
    learn(book, SHOP, [lesson("One.")], "loop-1");
    appendFileSync(learningsPath(book.home, SHOP), line);
    learn(book, SHOP, [lesson("Two.")], "loop-1");
    expect(textsOf(knownLearnings(book, SHOP).learnings)).toEqual(["One.", "Two."]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("is read at its end where somebody made it huge", () => {
    const book = keeper();
    const path = learningsPath(book.home, SHOP);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${"x".repeat(1000)}\n`.repeat(9_000));
    learn(book, SHOP, [lesson("One.")], "loop-1");
    expect(textsOf(knownLearnings(book, SHOP).learnings)).toEqual(["One."]);
    // It was rewritten meanwhile.
    expect(readFileSync(path, "utf8").length).toBeLessThan(1000);
  });

  test("a folder in its place, or no folder at all, is an empty one", () => {
    const book = keeper();
    expect(knownLearnings(book, SHOP).learnings).toEqual([]);
    mkdirSync(learningsPath(book.home, SHOP), { recursive: true });
    expect(knownLearnings(book, SHOP).learnings).toEqual([]);
  });
});

describe("rewriting", () => {
  test("a kill in between loses nothing", () => {
    const book = keeper();
    learn(book, SHOP, [lesson("One.")], "loop-1");
    const path = learningsPath(book.home, SHOP);
    renameSync(path, `${path}.killed.taken`);
    expect(textsOf(knownLearnings(book, SHOP).learnings)).toEqual(["One."]);
    learn(book, SHOP, [lesson("Two.")], "loop-1");
    prune(book, SHOP);
    expect(textsOf(knownLearnings(book, SHOP).learnings).toSorted()).toEqual(["One.", "Two."]);
    expect(readdirSync(dirname(path))).toEqual([path.split("/").at(-1)]);
  });

  test("a kill before the taken file goes counts nothing twice", () => {
    const book = keeper();
    learn(book, SHOP, [lesson("One.")], "loop-1");
    const path = learningsPath(book.home, SHOP);
    const [one] = knownLearnings(book, SHOP).learnings;
    if (one !== undefined) markLearning(book, SHOP, one, "confirmed");
    const before = knownLearnings(book, SHOP);
    writeFileSync(`${path}.killed.taken`, readFileSync(path));
    expect(knownLearnings(book, SHOP)).toEqual(before);
  });

  test("what is forgotten leaves the disk and doesn't come back", () => {
    const book = keeper();
    const [one] = learn(book, SHOP, [lesson("One."), lesson("Two.")], "loop-1");
    if (one !== undefined) markLearning(book, SHOP, one, "forgotten");
    const path = learningsPath(book.home, SHOP);
    expect(readFileSync(path, "utf8")).not.toContain("One.");
    learn(book, SHOP, [lesson("One.")], "loop-2");
    expect(textsOf(knownLearnings(book, SHOP).learnings)).toEqual(["Two."]);
  });

  test("pruning removes what was dismissed, is weak or is old, and remembers the dismissal", () => {
    const book = keeper();
    const [gone] = learn(book, SHOP, [lesson("Gone."), lesson("Weak.", { confidence: 0.05 })], "loop-1");
    if (gone !== undefined) markLearning(book, SHOP, gone, "dismissed");
    learn(book, SHOP, [lesson("Old.")], "loop-1");
    book.later(3 * 365 * DAY);
    learn(book, SHOP, [lesson("New.")], "loop-2");
    expect(prune(book, SHOP)).toBe(3);
    expect(textsOf(knownLearnings(book, SHOP).learnings)).toEqual(["New."]);
    expect(knownLearnings(book, SHOP).dismissed.has(gone?.id ?? "")).toBe(true);
  });

  test("a file never grows without bounds", () => {
    const book = keeper();
    const path = learningsPath(book.home, SHOP);
    const lines = Array.from({ length: 3_000 }, (_, index) =>
      learnedLine(lesson(`Number ${index}: ${"x".repeat(200)}`), {
        project: SHOP,
        loop: "loop-1",
        now: book.now(),
      }),
    );
    appendLines(path, lines);
    learn(book, SHOP, [lesson("The newest.", { confidence: 0.9 })], "loop-2");
    expect(readLearningsFile(path).length).toBeLessThanOrEqual(300);
    expect(textsOf(knownLearnings(book, SHOP).learnings)).toContain("The newest.");
  });
});

describe("recall", () => {
  test("finds the project's own, at most five, and what was dismissed never again", () => {
    const book = keeper();
    const root = temporaryFolder();
    learn(
      book,
      root,
      Array.from({ length: 7 }, (_, index) => lesson(`The cart rounds ${index} times.`)),
      "loop-1",
    );
    const found = findLearnings(book, root, "Fix the cart", { others: true });
    expect(found).toHaveLength(5);
    const [first, second] = found.map(({ id }) => id);
    const recall = recallWith(book, root, found, {
      confirmed: new Set([first ?? ""]),
      dismissed: new Set([second ?? ""]),
    });
    expect(recall.learnings.map(({ confirmed }) => confirmed)).toEqual([true, false, null, null, null]);
    expect(recall.learnings[0]?.confidence).toBeCloseTo(0.8);
    // 0.8 and three times 0.6, two points each.
    expect(recall.familiarity).toBe(5);
    const again = findLearnings(book, root, "Fix the cart", { others: true }).map(({ id }) => id);
    expect(again).toHaveLength(5);
    expect(again[0]).toBe(first);
    expect(again).not.toContain(second);
  });

  test("recent ones come first", () => {
    const book = keeper();
    const root = temporaryFolder();
    learn(book, root, [lesson("The cart is slow.")], "loop-1");
    book.later(400 * DAY);
    learn(book, root, [lesson("The cart is fast.")], "loop-2");
    expect(textsOf(findLearnings(book, root, "the cart", { others: false }))).toEqual([
      "The cart is fast.",
      "The cart is slow.",
    ]);
  });

  test("another project's count only once a person confirms them here", () => {
    const book = keeper();
    const [here, there] = [temporaryFolder(), temporaryFolder()];
    learn(book, there, [lesson("The cart rounds twice.")], "loop-1");
    expect(findLearnings(book, here, "Fix the cart", { others: false })).toEqual([]);
    const found = findLearnings(book, here, "Fix the cart", { others: true });
    expect(found).toMatchObject([{ isForeign: true, project: there }]);
    expect(recallWith(book, here, found)).toEqual({ learnings: [], familiarity: 0 });
    expect(findLearnings(book, here, "Fix the cart", { others: false })).toEqual([]);

    const recall = recallWith(book, here, found, {
      confirmed: new Set(found.map(({ id }) => id)),
      dismissed: new Set(),
    });
    expect(recall).toMatchObject({ learnings: [{ confirmed: true }], familiarity: 2 });
    expect(findLearnings(book, here, "Fix the cart", { others: true })).toMatchObject([
      { isForeign: false, project: here },
    ]);
  });

  test("one that was dismissed here isn't offered from elsewhere", () => {
    const book = keeper();
    const [here, there] = [temporaryFolder(), temporaryFolder()];
    learn(book, there, [lesson("The cart rounds twice.")], "loop-1");
    const found = findLearnings(book, here, "Fix the cart", { others: true });
    recallWith(book, here, found, { confirmed: new Set(), dismissed: new Set(found.map(({ id }) => id)) });
    expect(findLearnings(book, here, "Fix the cart", { others: true })).toEqual([]);
    expect(findLearnings(book, there, "Fix the cart", { others: true })).toHaveLength(1);
  });
});

test("a file under another project's name is nobody's", () => {
  const book = keeper();
  const path = learningsPath(book.home, OTHER);
  appendLines(path, [learnedLine(lesson("One."), { project: "/etc", loop: null, now: book.now() })]);
  expect(learningsElsewhere(book, SHOP)).toEqual([]);
  expect(existsSync(join(path))).toBe(true);
});
