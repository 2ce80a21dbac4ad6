import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const DOCUMENTS = [...foldersDocuments("."), ...foldersDocuments("docs"), ...foldersDocuments("docs/adr")];

function foldersDocuments(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "`");
}

/** As GitHub names the headings of a page. */
function anchorsOf(markdown: string): readonly string[] {
  const headings = [...markdown.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Links of a page that lead nowhere. */
function broken(path: string, markdown: string): readonly string[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (file !== "" && !existsSync(target)) return true;
    if (anchor === undefined) return false;
    return !anchorsOf(file === "" ? markdown : readFileSync(target, "utf8")).includes(anchor);
  });
}

test.each(DOCUMENTS)("no link of %s leads nowhere", (path) => {
  expect(broken(path, readFileSync(path, "utf8"))).toEqual([]);
});

test("a link that leads nowhere is noticed", () => {
  const page =
    "# A page\n[a](#a-page) [b](#b) [c](docs/run.md#agents) [d](docs/run.md#do) [e](e.md) [f](https://x.y)";
  expect(broken("README.md", page)).toEqual(["#b", "docs/run.md#do", "e.md"]);
});

/** The numbers of a gate's row in the arena's first table. */
function measured(gate: string): readonly string[] {
  const [row = ""] = new RegExp(`^\\| ${gate} \\|.*$`, "m").exec(readFileSync("docs/arena.md", "utf8")) ?? [];
  return row.split("|").map((cell) => cell.trim());
}

test("the README and the comparison say what the arena measured", () => {
  const [, , promised = ""] = measured("a promise");
  const [, , exited = "", , , , , quick = ""] = measured("an exit code");
  const [, , accepted = "", weak = "", held = "", doubted = "", , seconds = ""] =
    measured("loop run, standard");
  const [, endings = ""] = promised.split(" of ");
  const [, honest = ""] = held.split(" of ");
  expect([accepted, held]).toEqual([`0 of ${endings}`, `0 of ${honest}`]);

  const compared = readFileSync("docs/compared.md", "utf8");
  expect(compared).toContain(`| ${promised} | 0 of ${honest} |`);
  expect(compared).toContain(`| ${exited} | 0 of ${honest} |`);
  expect(compared).toContain(`| ${accepted}; ${weak} ended as weak | ${held}; ${doubted} ended as weak |`);
  expect(compared).toContain(
    `added ${seconds} s to an honest ending (median), the exit code alone ${quick} s`,
  );
  const readme = readFileSync("README.md", "utf8").replaceAll(/\s+/g, " ");
  expect(readme).toContain(
    `plays ${endings} wrong claims to each gate, offline. A promise accepts ${promised.split(" ")[0]} of them, an exit code ${exited.split(" ")[0]}, Loopwright none as verified; it accepts ${weak}, marked weak. Of ${honest} honest endings it holds none and calls ${doubted} weak.`,
  );
});

/** Messages that the page on trouble quotes; `…` stands for anything. */
const QUOTED = /(?:\*\*Cause\.\*\*|The status says|^- |^\|) `([^`]*)`/gm;

test("what the page on trouble quotes is what the program says", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => readFileSync(join("src", path), "utf8"))
    .join("\n");
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const quoted = [...page.matchAll(QUOTED)]
    .map(([, text = ""]) => text)
    .filter((text) => !text.startsWith("--"));
  expect(quoted.length).toBeGreaterThan(4);
  expect(quoted.filter((text) => !sources.includes(text) && !text.includes("…"))).toEqual([]);
});

/** A test file, and what it is called there if only some of its tests are meant. */
const NAMED_TEST = /`((?:src|test|e2e)\/[^`\s]+\.test\.ts)`(?: "([^"]+)")?/g;

interface DocumentRow {
  readonly document: string;
  readonly from: number;
  readonly to: number;
  readonly code: string;
  readonly tests: string;
}

/** The rows about the earlier documents. */
function documentRows(page: string): readonly DocumentRow[] {
  return page.split(/^## /m).flatMap((part) => {
    const rows = part.split("\n").filter((line) => /^\| \d/.test(line));
    return rows.map((row) => {
      const [, lines = "", , , code = "", tests = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const [from = 0, to = from] = lines.split("–").map(Number);
      return { document: part.slice(0, 3), from, to, code, tests };
    });
  });
}

/** How many lines each of them has. */
const DOCUMENT_LINES = { "000": 216, "001": 178, "002": 370, "003": 275, "004": 193 };
/** A blank line, a rule, a blank line. */
const BETWEEN_STATEMENTS = 3;

/** Lines that no row is about, as `document:line`. */
function leftOut(rows: readonly DocumentRow[]): readonly string[] {
  return Object.entries(DOCUMENT_LINES).flatMap(([document, last]) => {
    const gaps: string[] = [];
    let reached = 0;
    const own = rows.filter((row) => row.document === document).toSorted((one, two) => one.from - two.from);
    for (const { from, to } of [...own, { from: last + 1, to: last + 1 }]) {
      if (from - reached - 1 > BETWEEN_STATEMENTS) gaps.push(`${document}:${reached + 1}`);
      reached = Math.max(reached, to);
    }
    return reached === last + 1 ? gaps : [...gaps, `${document} has only ${last} lines`];
  });
}

test("each line of the earlier documents is in a row, with code and a test that there are", () => {
  const rows = documentRows(readFileSync("docs/documents.md", "utf8"));
  expect(rows.length).toBeGreaterThan(200);
  expect(leftOut(rows)).toEqual([]);
  expect(rows.filter(({ code, tests }) => !/`[^`]+`/.test(code) || !/`[^`]+`/.test(tests))).toEqual([]);
  const named = rows.flatMap(({ code, tests }) => [...`${code} ${tests}`.matchAll(/`([^`]+)`/g)]);
  expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(path))).toEqual([]);
  const titles = rows.flatMap(({ tests }) => [...tests.matchAll(NAMED_TEST)]);
  expect(titles.filter(([, path = "", title = ""]) => !hasTest(path, title)).map(([all]) => all)).toEqual([]);
});

/** Whether a file has a test, or a group of them, whose title has these words. */
function hasTest(path: string, title: string): boolean {
  const source = readFileSync(path, "utf8").replaceAll(String.raw`\"`, '"');
  const titles = [...source.matchAll(/\(\s*(["`])((?:(?!\1).)+)\1\s*,/g)].map(([, , text = ""]) => text);
  return title === "" || titles.some((text) => text.includes(title));
}

test("a line that no row is about, and a test that there isn't, are noticed", () => {
  const page = Object.entries(DOCUMENT_LINES)
    .map(([name, last]) => `## ${name}: one\n\n| 1–${last} | it | here | \`a.ts\` | \`b.test.ts\` |\n`)
    .join("\n");
  expect(leftOut(documentRows(page))).toEqual([]);
  expect(leftOut(documentRows(page.replace("1–178", "1–100")))).toEqual(["001:101"]);
  expect(leftOut(documentRows(page.replace("1–178", "6–178")))).toEqual(["001:1"]);
  expect(hasTest("test/documents.test.ts", "are noticed")).toBe(true);
  expect(hasTest("test/documents.test.ts", "are never noticed at all, as no test says")).toBe(false);
});
