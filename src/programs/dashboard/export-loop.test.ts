import { expect, test } from "vitest";
import { unreadableView } from "../../views/status.ts";
import { exportedData, type Exported } from "./export-loop.ts";
import { pageWithData } from "./page-file.ts";

const MACHINE = { env: { NPM_TOKEN: "npm_abcdefghijklmnopqrstuvwxyz0123456789" }, now: () => 0 };
const VIEW = unreadableView("fix-it-1234", null, "");
const PAGE = {
  html: '<html><head></head><script type="application/json" id="data"></script></html>',
  policy: "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
};

const iteration = (number: number, output: string): Exported["view"]["iterations"][number] =>
  ({
    iteration: number,
    verdict: "held",
    said: "Done.",
    checks: [{ name: "tests pass", passed: false, output }],
  }) as unknown as Exported["view"]["iterations"][number];

function exported(iterations: Exported["view"]["iterations"], part: Partial<Exported> = {}): Exported {
  return {
    key: "x/fix-it-1234",
    view: { ...VIEW, iterations },
    work: null,
    done: [],
    reviewed: null,
    attempts: [],
    ...part,
  };
}

function sizeOf(data: ReturnType<typeof exportedData>): number {
  return Buffer.byteLength(pageWithData(PAGE, data));
}

const LARGEST = 5 * 1024 * 1024;

test("beyond 5 MB the longest outputs are shortened first, and named; short ones stay", () => {
  const data = exportedData(
    MACHINE,
    exported([
      iteration(1, "short"),
      iteration(2, "x".repeat(9_000_000)),
      iteration(3, `${"y".repeat(200_000)}END`),
    ]),
  );
  expect(sizeOf(data)).toBeLessThan(LARGEST);
  expect(data.cut).toEqual(["iteration 2, tests pass, output"]);
  expect(data.view.iterations[0]?.checks[0]?.output).toBe("short");
  expect(data.view.iterations[1]?.checks[0]?.output).toMatch(/^… \d+ characters left out …\nx+$/);
  expect(data.view.iterations[2]?.checks[0]?.output).toBe(`${"y".repeat(200_000)}END`);
});

test("where shortening isn't enough, attempts go, and then the oldest iterations", () => {
  const many = Array.from({ length: 400 }, (_, index) => iteration(index + 1, "a".repeat(100)));
  const data = exportedData(MACHINE, exported(many, { attempts: [VIEW] }), 20_000);
  expect(sizeOf(data)).toBeLessThan(21_000);
  expect(data.attempts).toEqual([]);
  expect(data.cut[0]).toBe("what happened inside attempts");
  expect(data.cut[1]).toMatch(/^iterations before \d+$/);
  expect(data.view.iterations.at(-1)?.iteration).toBe(400);
});

test("secrets are left out again, and nothing in it ends the script that holds it", () => {
  const evil = `</script><script>alert(1)</script><!-- ${MACHINE.env.NPM_TOKEN}`;
  const html = pageWithData(PAGE, exportedData(MACHINE, exported([iteration(1, evil)])));
  expect(html).not.toContain(MACHINE.env.NPM_TOKEN);
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html).not.toContain("<!--");
  expect(html).toContain("default-src 'none'");
  expect(html).not.toContain("connect-src");
});
