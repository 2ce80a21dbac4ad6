/// <reference lib="dom" />
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launchBrowser, openPage, serve, violations } from "../scripts/nights/browser.mjs";
import {
  authService,
  cornerShop,
  hostile,
  invoice,
  plan,
  ratelimit,
  tinyparse,
} from "../scripts/nights/nights.mjs";
import { claim, turn, World } from "../scripts/nights/world.mjs";

/** The built dashboard in an installed Chromium, over loops that really ran. */

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = new World(mkdtempSync(join(tmpdir(), "loopwright-page-")));
  browser = await launchBrowser();
  await Promise.all([cornerShop(world), invoice(world).then(async () => authService(world))]);
  await Promise.all([
    tinyparse(world),
    plan(world, "ledger", "A double-entry ledger", { lies: [2], unchecked: [3], count: 4 }),
  ]);
  await Promise.all([hostile(world), ratelimit(world)]);
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await world?.end();
  rmSync(world.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
});

function events(project: string): readonly { readonly type: string }[] {
  const loops = join(world.folder, "code", project, ".loop", "loops");
  const [id = ""] = readdirSync(loops);
  return readFileSync(join(loops, id, "journal.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap(
      (line) =>
        (
          JSON.parse(line.slice(line.indexOf('{"follows"'))) as {
            readonly events: readonly { readonly type: string }[];
          }
        ).events,
    );
}

async function onPage(
  use: (page: Page, server: Awaited<ReturnType<typeof serve>>) => Promise<void>,
  look: { readonly width?: number; readonly dark?: boolean } = {},
): Promise<void> {
  const server = await serve(world);
  const page = await openPage(browser, server.link, look);
  try {
    // Loops are read while the page is there already.
    for (const project of ["corner-shop", "ledger", "tinyparse", "script-alert"]) await linkOf(page, project);
    await use(page, server);
  } finally {
    await page.context().close();
    await server.stop();
  }
}

/** The address of a project's loop. */
async function linkOf(page: Page, project: string): Promise<string> {
  await page.waitForSelector(`a[href^='/l/${project}-']`, { timeout: 60_000 });
  const links = await page.$$eval("a[href^='/l/']", (found) =>
    found.map((each) => each.getAttribute("href") ?? ""),
  );
  return links.find((each) => each.startsWith(`/l/${project}-`)) ?? "";
}

describe.skipIf(chromiumPath() === null)("the dashboard", () => {
  test.each([
    [1440, false],
    [1440, true],
    [390, false],
    [390, true],
  ])(
    "at %i px, dark %s: each view is clear to everybody, fits, and asks nobody else",
    { timeout: 240_000 },
    async (width, dark) => {
      await onPage(
        async (page, { origin }) => {
          const asked: string[] = [];
          const errors: string[] = [];
          page.on("request", (request) => asked.push(request.url()));
          page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
          const shop = await linkOf(page, "corner-shop");
          const ledger = await linkOf(page, "ledger");
          const live = await linkOf(page, "ratelimit");
          for (const path of [
            "/",
            shop,
            ledger,
            `${ledger}/review`,
            `${shop}/log`,
            `${shop}/turn/2-1`,
            `${shop}#i2`,
            `${ledger}?task=T-002`,
            live,
          ]) {
            await page.goto(`${origin}${path}`);
            await page.waitForSelector("h1");
            await page.waitForTimeout(400);
            expect([path, ...(await violations(page))]).toEqual([path]);
            const beyond = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            expect([path, Math.max(0, beyond)]).toEqual([path, 0]);
          }
          await page.goto(`${origin}/`);
          await page.waitForSelector("text=Needs you");
          await page.click("text=Approve the test…");
          await page.waitForSelector("text=Approve test/vat.test.js as it is now?");
          expect(await violations(page)).toEqual([]);
          expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([]);
          expect(errors.filter((text) => !text.includes("favicon"))).toEqual([]);
        },
        { width, dark },
      );
    },
  );

  test("shows each caught claim beside the check and the output that contradicts it, without a click", async () => {
    await onPage(async (page, { origin }) => {
      await page.goto(`${origin}${await linkOf(page, "corner-shop")}`);
      await page.waitForSelector("text=False claim, caught by the original tests");
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
    await onPage(async (page, { origin }) => {
      const ledger = await linkOf(page, "ledger");
      await page.waitForSelector("li.row >> text=already on main");
      await page.getByRole("button", { name: /claims? did not hold/ }).click();
      const rows = await page.$$eval("li.row", (found) => found.map((each) => each.textContent ?? ""));
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(row).toMatch(/did not hold/);
      await page.goto(`${origin}${ledger}`);
      await page.waitForSelector("aside[aria-label='task T-003']");
      const plan = await page.innerText("main");
      expect(plan).toContain("Unverified");
      expect(plan).toContain("MONITOR: some evidence is weak or missing");
      expect(await page.innerText("aside")).toContain("it has no check");
      await page.click(".not-held button");
      await page.waitForSelector("aside[aria-label='task T-002']");
      await page.goto(`${origin}${ledger}/review`);
      await page.waitForSelector("text=passed: nothing speaks against it");
      const review = await page.innerText("main");
      expect(review).toMatch(/shown by a check, \d by nobody/);
      expect(review).toContain("3 verified, 1 unverified");
      await page.keyboard.press("?");
      await page.waitForSelector(".dialog >> text=an iteration that claimed nothing");
      expect(await violations(page)).toEqual([]);
    });
  });

  test("a lie is caught on screen while it happens", { timeout: 120_000 }, async () => {
    const root = world.project("liar", { "README.md": "A project\n" });
    await onPage(async (page, { origin }) => {
      const script = world.script("liar", [
        turn(0.1, [{ wait: 3_000 }], claim("All done, I promise!")),
        turn(0.1, [{ wait: 2_000 }, { write: "done.txt", text: "x" }], claim("Now it is.")),
      ]);
      const running = world.loop(root, [
        "run",
        "Write done.txt",
        "-c",
        "done=test -f done.txt",
        "--agent",
        "rehearsal",
        "--script",
        script,
      ]);
      await page.waitForSelector("a[href^='/l/liar-']", { timeout: 30_000 });
      await page.goto(`${origin}${await linkOf(page, "liar")}`);
      await page.waitForSelector("text=False claim", { timeout: 30_000 });
      expect(await page.innerText("#i1")).toContain("All done, I promise!");
      await page.waitForSelector("text=Completed, verified", { timeout: 30_000 });
      await running;
    });
  });

  test(
    "approve by the keyboard alone, continue and cancel by the mouse, and the journal says so",
    { timeout: 240_000 },
    async () => {
      await onPage(async (page) => {
        const rows = await page.$$eval("[data-row]", (found) => found.map((each) => each.textContent ?? ""));
        const at = rows.findIndex((text) => text.includes("invoice"));
        for (let step = 0; step < at; step += 1) await page.keyboard.press("j");
        await page.keyboard.press("a");
        await page.waitForSelector("text=Approve test/vat.test.js as it is now?");
        expect(await page.innerText(".dialog")).toContain("loop approve --loop");
        await page.waitForSelector(".dialog .code >> text=rounds to even");
        await page.waitForFunction(() => document.activeElement?.textContent === "Approve and continue");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.waitForSelector(".dialog", { state: "detached", timeout: 60_000 });
        expect(events("invoice")).toContainEqual(expect.objectContaining({ type: "opening.approved" }));
        const row = page.locator("[data-row]", { hasText: "tinyparse" });
        await row.getByRole("button", { name: "Add $2.50…" }).click();
        await page.getByRole("button", { name: "Continue", exact: true }).click();
        await page.waitForSelector(".dialog", { state: "detached", timeout: 60_000 });
        expect(events("tinyparse")).toContainEqual(
          expect.objectContaining({ type: "loop.continued", addedUsd: 2.5, by: "person" }),
        );
        const other = page.locator("[data-row]", { hasText: "auth-service" });
        await other.getByRole("button", { name: "more for auth-service" }).click();
        await page.getByRole("button", { name: "Cancel…" }).click();
        await page.getByRole("button", { name: "Cancel the loop" }).click();
        await page.waitForSelector(".dialog", { state: "detached", timeout: 60_000 });
        expect(events("auth-service")).toContainEqual(
          expect.objectContaining({ type: "loop.cancelled", by: "person" }),
        );
      });
    },
  );

  test(
    "a cut stream is caught up with, and another server asks for a new link",
    { timeout: 120_000 },
    async () => {
      await onPage(async (page, server) => {
        await page.context().setOffline(true);
        await page.evaluate(() => undefined);
        await page.context().setOffline(false);
        await page.waitForSelector("text=live");
        const { port } = new URL(server.origin);
        await server.stop();
        await page.waitForSelector("text=Nobody answers", { timeout: 30_000 });
        expect(await page.innerText("h1")).not.toBe("");
        expect(await page.locator("button.btn.main, button.btn.v").first().isDisabled()).toBe(true);
        const next = await serve(world, ["--port", port]);
        try {
          await page.waitForSelector("text=This page needs a new link.", { timeout: 30_000 });
          await page.goto(next.link);
          await page.reload();
          await page.waitForSelector("text=live");
        } finally {
          await next.stop();
        }
      });
    },
  );

  test("no text of anybody is ever markup, and nothing hides in it", async () => {
    await onPage(async (page, { origin }) => {
      const evil = await linkOf(page, "script-alert");
      expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined();
      for (const path of [evil, `${evil}/log`, `${evil}/turn/1-1`]) {
        await page.goto(`${origin}${path}`);
        await page.waitForSelector("h1");
        await page.waitForTimeout(800);
        expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined();
        expect(await page.locator("main script, main img, main iframe, main style").count()).toBe(0);
        const text = await page.innerText("body");
        // oxlint-disable-next-line no-control-regex -- none of these may be left
        expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/);
      }
      await page.goto(`${origin}${evil}`);
      await page.waitForSelector("text=<script>");
    });
  });

  test("in greyscale each state still has a shape of its own", async () => {
    await onPage(async (page) => {
      const shapes = await page.evaluate(() => {
        const found = new Map<string, string>();
        for (const svg of document.querySelectorAll("svg.g[aria-label]"))
          found.set(
            svg.getAttribute("aria-label") ?? "",
            // Without its words, which always differ.
            [...svg.children].map((each) => (each.tagName === "title" ? "" : each.outerHTML)).join(""),
          );
        return [...found];
      });
      expect(shapes.length).toBeGreaterThan(2);
      expect(new Set(shapes.map(([, shape]) => shape)).size).toBe(shapes.length);
    });
  });

  test("an exported file opens from the disk and asks nobody for anything", { timeout: 60_000 }, async () => {
    const out = join(world.folder, "report.html");
    const { text } = await world.loop(join(world.folder, "code", "corner-shop"), ["export", "--out", out]);
    expect(text).toContain("report.html");
    const page = await (await browser.newContext()).newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`file://${out}`);
    await page.waitForSelector("text=False claim, caught by the original tests");
    expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
    expect(await page.locator("button.btn").count()).toBe(0);
    await page.context().close();
  });

  test("Ctrl-C ends it, and leaves nothing", async () => {
    const server = await serve(world);
    expect(await server.stop()).toBe(0);
    await expect(fetch(server.origin)).rejects.toThrow("fetch failed");
  });
});
