/// <reference lib="dom" />
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, openPage, serve, violations } from "../scripts/nights/browser.mjs";
import { hostile, imageCache, plan, ratelimit } from "../scripts/nights/nights.mjs";
import { Dashboards, linkOf, visit } from "./dashboard-world.ts";
import { showRecorded } from "./recorded-night.ts";

/** Every view in an installed Chromium: over journals that were recorded once, and over runs that go on meanwhile. */

let dashboards: Dashboards;

beforeAll(async () => {
  dashboards = await Dashboards.begin();
  const { world } = dashboards;
  showRecorded(world);
  await Promise.all([
    plan(world, "orders", "Orders that are never lost", { lies: [1], hangs: [4], wait: false, count: 5 }),
    ratelimit(world),
    imageCache(world),
    hostile(world),
  ]);
}, 300_000);

afterAll(async () => dashboards?.end());

type View = readonly [project: string, below: string];

/** Over journals alone: neither turns nor changed files are left of them. */
const RECORDED: readonly View[] = [
  ["corner-shop", ""],
  ["corner-shop", "#i2"],
  ["corner-shop", "/log"],
  ["corner-shop", "/turn/2-1"],
  ["payments", ""],
  ["payments", "/review"],
  ["ledger", ""],
  ["ledger", "/review"],
  ["auth-service", ""],
  ["as-of-0-1-0", ""],
];

/** These go on while somebody looks. */
const LIVE: readonly View[] = [
  ["ratelimit", ""],
  ["ratelimit", "/log"],
  ["ratelimit", "/turn/1-1"],
  ["orders", ""],
  ["orders", "/review"],
  ["orders", "/log"],
];

describe.skipIf(chromiumPath() === null)("the views of the dashboard", () => {
  test.each([
    ["of recorded journals", RECORDED],
    ["of runs that go on", LIVE],
  ])(
    "%s: at 1440 and 390 px, light and dark, each is clear to everybody, fits, and asks nobody else",
    { timeout: 240_000 },
    async (_, views) => {
      await dashboards.onPage(async (page, { origin }) => {
        const asked: string[] = [];
        const errors: string[] = [];
        page.on("request", (request) => asked.push(request.url()));
        page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        const links = new Map<string, string>();
        for (const [project] of views)
          if (!links.has(project)) links.set(project, await linkOf(page, project));
        expect(await faultsInAllLooks(page)).toEqual([]);
        for (const [project, below] of views) {
          await visit(page, origin, `${links.get(project) ?? ""}${below}`);
          expect([project, below, ...(await faultsInAllLooks(page))]).toEqual([project, below]);
        }
        expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([]);
        // The turn of a recorded loop is gone, which the page says.
        expect(errors.filter((text) => !/favicon|422/.test(text))).toEqual([]);
      });
    },
  );

  test("so are its dialogs", async () => {
    await dashboards.onPage(async (page, { origin }) => {
      await visit(page, origin, await linkOf(page, "ratelimit"));
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await faultsInAllLooks(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys and marks" }).waitFor();
      expect(await faultsInAllLooks(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.goto(origin);
      await page
        .locator("[data-row]", { hasText: "tinyparse" })
        .getByRole("button", { name: /^Add/ })
        .click();
      await page.getByRole("dialog").waitFor();
      expect(await faultsInAllLooks(page)).toEqual([]);
    });
  });

  test("so are the page without loops, and the one that nobody was let in to", async () => {
    const empty = await Dashboards.begin();
    try {
      await empty.onPage(async (page, { origin }) => {
        await page.getByRole("heading", { name: "No loop has run on this machine yet." }).waitFor();
        expect(await faultsInAllLooks(page)).toEqual([]);
        const other = await openPage(empty.browser, origin);
        await other.getByRole("heading", { name: "This page needs a new link." }).waitFor();
        expect(await faultsInAllLooks(other)).toEqual([]);
        await other.context().close();
      });
    } finally {
      await empty.end();
    }
  });

  test("each caught claim is beside the check and the output that contradicts it, without a click", async () => {
    await dashboards.onPage(async (page, { origin }) => {
      await visit(page, origin, await linkOf(page, "corner-shop"));
      await page.getByText("False claim, caught by the original tests").waitFor();
      const second = await page.innerText("#i2");
      expect(second).toContain("Three test cases were outdated");
      expect(second).toContain("passes, 2 of 2 tests");
      expect(second).toContain("The same work fails with the original tests");
      expect(second).toContain("exit code 1");
      expect(second).toMatch(/several of one/);
      expect(await page.innerText("#i4")).toContain("caught by tests it never saw");
      expect(await page.innerText("main")).toContain("Verified");
    });
  });

  test("what nothing shows is named as such, and each count leads to what it counts", async () => {
    await dashboards.onPage(async (page, { origin }) => {
      const ledger = await linkOf(page, "ledger");
      await page.getByRole("button", { name: /false claims? caught/ }).click();
      const rows = await page.locator("li.row").allTextContents();
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(row).toMatch(/false claims? caught/);
      await visit(page, origin, ledger);
      await page.locator("aside[aria-label='task T-003']").waitFor();
      expect(await page.innerText("aside")).toContain("it has no check");
      await page.locator(".not-held button").first().click();
      await page.locator("aside[aria-label='task T-002']").waitFor();
    });
  });

  test("a reviewer's blocker is beside the claim and the check that it contradicts, with what became of it", async () => {
    await dashboards.onPage(async (page, { origin }) => {
      const payments = await linkOf(page, "payments");
      await visit(page, origin, `${payments}/review`);
      await page.getByText("T-004 said").waitFor();
      const blocker = (await page.locator(".finding.BLOCKER").innerText()).replaceAll(/\s+/g, " ");
      expect(blocker).toContain("“Calls are logged with the order and the end of the card.”");
      expect(blocker).toContain("Its check said passes, 2 of 2");
      expect(blocker).toContain("contradicts The reviewer said Eight of sixteen digits are logged.");
      expect(blocker).toContain("slice(-8)");
      expect(blocker).toContain("Put right by R-1, weak: ");
      const review = (await page.innerText("main")).replaceAll(/\s+/g, " ");
      expect(review).toContain("4 of 4 tasks merged 2 verified, 2 weak");
      expect(review).toContain("Review 1: 6/10 1 blocker, 2 more, 1 dropped");
      expect(review).toContain("R-1 to put it right merged, weak");
      expect(review).toContain("WARNING src/once.js:4 found in rounds 1 and 2");
      expect(review).toContain("1 more finding was dropped");
      expect(review).toMatch(/shown by a check, \d unproven/);
    });
  });

  test("each loop is counted in one list, work that isn't fully shown asks for one look, and marks are explained", async () => {
    await dashboards.onPage(async (page, { origin }) => {
      await linkOf(page, "payments");
      await linkOf(page, "image-cache");
      const counts = async (): Promise<{ readonly [name: string]: number }> =>
        Object.fromEntries(
          await page
            .locator(".cols section")
            .evaluateAll((all) =>
              all.map((each) => [
                each.querySelector("h2")?.textContent ?? "",
                Number(each.querySelector(".n")?.textContent) - each.querySelectorAll("li.row").length,
              ]),
            ),
        );
      expect(await counts()).toEqual({
        "Needs you": 0,
        "Worth a look": 0,
        Running: 0,
        Waiting: 0,
        Finished: 0,
      });
      const waiting = page.locator("section", { has: page.locator("#waiting") });
      expect(await waiting.innerText()).toMatch(/image-cache[^]*Resumes by itself at (?:\d+ \w+ )?\d\d:\d\d/);
      const wanting = page.locator("section", { has: page.locator("#worth-a-look") });
      const row = wanting.locator("li.row", { hasText: "payments" });
      expect(await row.innerText()).toContain("Its work is on main, and some of it rests on weak evidence");
      const legend = page.locator(".legend.marks");
      for (const mark of ["needs you", "waits, and resumes by itself", "task merged on weak evidence"])
        expect(await legend.innerText()).toContain(mark);
      await row.getByRole("button", { name: "Look at it" }).click();
      await page.getByText("What reviewers found").waitFor();
      await page.goto(origin);
      const finished = page.locator("section", { has: page.locator("#finished") });
      await finished.locator("li.row", { hasText: "payments" }).getByText("already on main").waitFor();
      expect(await row.count()).toBe(0);
    });
  });

  test("what an attempt is doing right now is said, at home and in its plan", async () => {
    await dashboards.onPage(async (page, { origin }) => {
      const orders = await linkOf(page, "orders");
      await page.locator("li.row", { hasText: "orders" }).getByText("npm run soak").waitFor();
      await visit(page, origin, `${orders}?task=T-004`);
      await page.locator("aside").getByText("npm run soak").waitFor();
      expect(await page.locator("aside").innerText()).toMatch(
        /Attempt 1[^]*its agent runs npm run soak since \d\d:\d\d, \d+/,
      );
    });
  });

  test(
    "no text of anybody is ever markup, and nothing hides in it, in any view",
    { timeout: 120_000 },
    async () => {
      await dashboards.onPage(async (page, { origin }) => {
        const evil = await linkOf(page, "script-alert");
        const planned = await linkOf(page, "bplan");
        await expectHarmless(page, "home");
        for (const path of [
          evil,
          `${evil}/log`,
          `${evil}/turn/1-1`,
          planned,
          `${planned}?task=T-001`,
          `${planned}?task=T-002`,
          `${planned}/review`,
          `${planned}/log`,
        ]) {
          await visit(page, origin, path);
          await page.getByText("<script>").first().waitFor({ state: "attached" });
          await expectHarmless(page, path);
        }
        await visit(page, origin, evil);
        await page.getByRole("button", { name: /^Add / }).click();
        await page.getByRole("dialog").waitFor();
        await expectHarmless(page, "the dialog");
        await visit(page, origin, `${planned}/review`);
        // Every field of a finding was tried.
        const blocker = page.locator(".finding.BLOCKER");
        await blocker.waitFor();
        expect((await blocker.innerText()).match(/<script>/g)?.length).toBeGreaterThanOrEqual(3);
      });
      const { world, browser } = dashboards;
      for (const project of ["<script>alert", "bplan"]) {
        const out = join(world.folder, "evil.html");
        await world.loop(join(world.folder, "code", project), ["export", "--out", out]);
        const page = await (await browser.newContext()).newPage();
        await page.goto(`file://${out}`);
        await page.locator("main h1").waitFor();
        await expectHarmless(page, `${project}, exported`);
        await page.context().close();
      }
    },
  );

  test("in grey, each mark still looks different from every other", async () => {
    await dashboards.onPage(async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys and marks" }).waitFor();
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setEmulatedVisionDeficiency", { type: "achromatopsia" });
      const marks = page.locator(".keys dt[aria-hidden]");
      const count = await marks.count();
      expect(count).toBeGreaterThan(25);
      const pictures: string[] = [];
      // Each alone, at the same place, so that only its shape can differ.
      for (let at = 0; at < count; at += 1) {
        await marks.nth(at).evaluate((mark) => {
          document.getElementById("alone")?.remove();
          const alone = document.createElement("div");
          alone.id = "alone";
          alone.style.cssText =
            "position:fixed;left:0;top:0;width:24px;height:24px;z-index:99;background:var(--bg);display:grid;place-items:center";
          const child = mark.firstElementChild;
          if (child !== null) alone.append(child.cloneNode(true));
          document.body.append(alone);
        });
        const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 24, height: 24 } });
        pictures.push(picture.toString("base64"));
      }
      const names = await page.locator(".keys dt[aria-hidden] + dd").allTextContents();
      expect((await alike(page, pictures)).map(([one, other]) => [names[one], names[other]])).toEqual([]);
    });
  });

  test("an exported file opens from the disk with all of its story, and asks nobody for anything", async () => {
    const { world, browser } = dashboards;
    for (const [project, telling] of [
      ["corner-shop", "False claim, caught by the original tests"],
      ["payments", "A declined charge is tried once more."],
    ] as const) {
      const out = join(world.folder, `${project}.html`);
      const { text } = await world.loop(join(world.folder, "code", project), ["export", "--out", out]);
      expect(text).toContain(`${project}.html`);
      const page = await (await browser.newContext()).newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`file://${out}`);
      await page.getByText(telling).first().waitFor();
      expect(await faults(page)).toEqual([]);
      expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
      expect(await page.locator("button.btn").count()).toBe(0);
      await page.context().close();
    }
  });

  test("Ctrl-C ends it, and leaves nothing", async () => {
    const server = await serve(dashboards.world);
    expect(await server.stop()).toBe(0);
    await expect(fetch(server.origin)).rejects.toThrow("fetch failed");
  });
});

/** Where colours are all that differs, only they are looked at again. */
async function faultsInAllLooks(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    for (const fault of await faults(page)) found.push(`${width} px: ${fault}`);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    for (const fault of await violations(page, ["color-contrast"])) found.push(`${width} px, dark: ${fault}`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

/** What keeps somebody from using the page as it is now, a line each. */
async function faults(page: Page): Promise<readonly string[]> {
  const beyond = await beyondScreen(page);
  return [...(await violations(page)), ...(beyond > 0 ? [`${beyond} px too wide`] : [])];
}

async function beyondScreen(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function expectHarmless(page: Page, where: string): Promise<void> {
  const seen = await page.evaluate(() => ({
    pwned: (globalThis as { pwned?: unknown }).pwned ?? null,
    elements: [...document.querySelectorAll("body :is(img, iframe, object, embed, style, link, base)")].map(
      ({ outerHTML }) => outerHTML.slice(0, 100),
    ),
    scripts: [...document.scripts].filter(({ textContent }) => textContent?.includes("pwned")).length,
    texts: [
      document.title,
      document.getElementById("page")?.textContent ?? "",
      ...[...document.querySelectorAll("#page *")].flatMap((each) =>
        each.getAttributeNames().map((name) => each.getAttribute(name) ?? ""),
      ),
    ],
  }));
  // Data of an exported file is in a script that no browser runs.
  const isExported = page.url().startsWith("file:");
  expect([where, seen.pwned, seen.elements, isExported ? 0 : seen.scripts]).toEqual([where, null, [], 0]);
  // oxlint-disable-next-line no-control-regex -- none of these may be left
  const hidden = /[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/;
  expect([where, ...seen.texts.filter((text) => hidden.test(text))]).toEqual([where]);
  expect([where, await beyondScreen(page)]).toEqual([where, 0]);
}

/** Pairs of pictures in which hardly any point is darker or lighter than in the other. */
async function alike(
  page: Page,
  pictures: readonly string[],
): Promise<readonly (readonly [number, number])[]> {
  const blank = await page.context().newPage();
  return blank.evaluate(async (all) => {
    const shades = await Promise.all(
      all.map(async (picture) => {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context?.drawImage(image, 0, 0);
        const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
        return Array.from(data).filter((_, index) => index % 4 === 0);
      }),
    );
    const [VISIBLE, POINTS] = [60, 8];
    return shades.flatMap((one, first) =>
      shades.slice(first + 1).flatMap((other, next) => {
        const differing = one.filter((shade, at) => Math.abs(shade - (other[at] ?? 0)) > VISIBLE).length;
        return differing < POINTS ? [[first, first + 1 + next] as const] : [];
      }),
    );
  }, pictures);
}
