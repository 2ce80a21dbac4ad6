import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, serve } from "../scripts/nights/browser.mjs";
import { authService, invoice, tinyparse } from "../scripts/nights/nights.mjs";
import { claim, turn } from "../scripts/nights/world.mjs";
import { Dashboards, linkOf, visit } from "./dashboard-world.ts";

/** The built dashboard in an installed Chromium: what is pressed, and what happens to it while somebody looks. */

let dashboards: Dashboards;

beforeAll(async () => {
  dashboards = await Dashboards.begin();
  const { world } = dashboards;
  await Promise.all([
    invoice(world).then(async () => invoice(world, "by-mouse-invoice")),
    tinyparse(world).then(async () => tinyparse(world, "by-mouse-tinyparse")),
    authService(world).then(async () => authService(world, "by-mouse-auth")),
  ]);
}, 300_000);

afterAll(async () => dashboards?.end());

async function isClosed(page: Page): Promise<void> {
  await page.getByRole("dialog").waitFor({ state: "detached", timeout: 60_000 });
}

function row(page: Page, project: string): ReturnType<Page["locator"]> {
  return page.locator("[data-row]", { has: page.locator(`a[href^='/l/${project}-']`) });
}

/** Moves to a project's row by the keyboard. */
async function moveTo(page: Page, project: string): Promise<void> {
  await row(page, project).waitFor();
  const count = await page.locator("[data-row]").count();
  for (let step = 0; step < count; step += 1) await page.keyboard.press("k");
  for (let step = 0; step < count; step += 1) {
    if ((await row(page, project).getAttribute("aria-current")) === "true") return;
    await page.keyboard.press("j");
  }
}

/** Tab by Tab until it has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    page.evaluate((wanted) => document.activeElement?.textContent === wanted, name);
  for (let step = 0; step < 40 && !(await isThere()); step += 1) await page.keyboard.press("Tab");
  expect(await isThere()).toBe(true);
}

const APPROVED = expect.objectContaining({ type: "opening.approved" });
const CONTINUED = expect.objectContaining({ type: "loop.continued", addedUsd: 2.5, by: "person" });
const CANCELLED = expect.objectContaining({ type: "loop.cancelled", by: "person" });

describe.skipIf(chromiumPath() === null)("the dashboard", () => {
  test("a lie is caught on screen while it happens", { timeout: 120_000 }, async () => {
    const { world } = dashboards;
    const root = world.project("liar", { "README.md": "A project\n" });
    await dashboards.onPage(async (page, { origin }) => {
      const script = world.script("liar", [
        turn(0.1, [{ wait: 3_000 }], claim("All done, I promise!")),
        turn(0.1, [{ wait: 2_000 }, { write: "done.txt", text: "x" }], claim("Now it is.")),
      ]);
      const running = world.loop(root, [
        ...["run", "Write done.txt", "-c", "done=test -f done.txt"],
        ...["--agent", "rehearsal", "--script", script],
      ]);
      await visit(page, origin, await linkOf(page, "liar"));
      await page.getByText("False claim", { exact: true }).waitFor({ timeout: 60_000 });
      expect(await page.innerText("#i1")).toContain("All done, I promise!");
      await page.getByText("Completed, verified").waitFor({ timeout: 60_000 });
      await running;
    });
  });

  test(
    "approves, continues and cancels by the keyboard alone, and the journal says so",
    { timeout: 240_000 },
    async () => {
      await dashboards.onPage(async (page) => {
        await moveTo(page, "invoice");
        await page.keyboard.press("a");
        await page.getByText("Approve test/vat.test.js as it is now?").waitFor();
        expect(await page.getByRole("dialog").innerText()).toContain("loop approve --loop");
        await page.locator(".dialog .code", { hasText: "rounds to even" }).waitFor();
        await page.getByRole("button", { name: "No, have it restored" }).click();
        await page.getByText("Have the original test restored?").waitFor();
        expect(await page.getByRole("dialog").innerText()).toContain("--say='restore the original tests");
        await page.keyboard.press("Escape");
        await page.keyboard.press("a");
        await page.waitForFunction(() => document.activeElement?.textContent === "Approve and continue");
        await tabTo(page, "Approve only");
        await page.keyboard.press("Enter");
        await isClosed(page);
        expect(dashboards.events("invoice")).toContainEqual(APPROVED);

        await moveTo(page, "tinyparse");
        await page.keyboard.press("a");
        await page.getByText("Continue tinyparse?").waitFor();
        await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
        await tabTo(page, "Continue");
        await page.keyboard.press("Enter");
        await isClosed(page);
        expect(dashboards.events("tinyparse")).toContainEqual(CONTINUED);

        await moveTo(page, "auth-service");
        await page.keyboard.press("m");
        await tabTo(page, "Cancel");
        await page.keyboard.press("Enter");
        await page.getByText("Cancel auth-service for good?").waitFor();
        await tabTo(page, "Cancel the loop");
        await page.keyboard.press("Enter");
        await isClosed(page);
        expect(dashboards.events("auth-service")).toContainEqual(CANCELLED);
      });
    },
  );

  test(
    "approves, continues and cancels by the mouse, and the journal says so",
    { timeout: 240_000 },
    async () => {
      await dashboards.onPage(async (page) => {
        await row(page, "by-mouse-invoice").getByRole("button", { name: "Approve the test" }).click();
        await page.getByRole("button", { name: "Approve only" }).click();
        await isClosed(page);
        expect(dashboards.events("by-mouse-invoice")).toContainEqual(APPROVED);
        await row(page, "by-mouse-tinyparse").getByRole("button", { name: "Add $2.50" }).click();
        await page.getByRole("button", { name: "Continue", exact: true }).click();
        await isClosed(page);
        expect(dashboards.events("by-mouse-tinyparse")).toContainEqual(CONTINUED);
        await row(page, "by-mouse-auth").getByRole("button", { name: "more for" }).click();
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("button", { name: "Cancel the loop" }).click();
        await isClosed(page);
        expect(dashboards.events("by-mouse-auth")).toContainEqual(CANCELLED);
      });
    },
  );

  test("what happened while the stream was cut is on screen afterwards", { timeout: 120_000 }, async () => {
    const root = await paused("cut-off");
    await dashboards.onPage(async (page) => {
      await page.clock.install();
      await page.reload();
      await row(page, "cut-off").waitFor();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.context().setOffline(true);
      // A browser keeps a stream that is open already; that it is silent is how a page finds out.
      await page.clock.fastForward(60_000);
      await page.getByText("Nobody answers").waitFor({ timeout: 30_000 });
      await dashboards.world.loop(root, ["cancel"]);
      await page.context().setOffline(false);
      await page.clock.resume();
      await page.getByText("connected", { exact: true }).waitFor({ timeout: 30_000 });
      await row(page, "cut-off").waitFor({ state: "detached" });
      // It goes on from the last news it has.
      expect(asked.findLast((url) => url.includes("/api/events"))).toMatch(/\?from=[0-9a-f]{8}\.\d+$/);
    });
  });

  test(
    "after a sleep, a connection that nobody holds any more is replaced",
    { timeout: 120_000 },
    async () => {
      const root = await paused("asleep");
      await dashboards.onPage(async (page, { child }) => {
        await page.clock.install();
        await page.reload();
        await row(page, "asleep").waitFor();
        child.kill("SIGSTOP");
        try {
          await page.clock.fastForward(10 * 60_000);
          await page.getByText("Nobody answers").waitFor({ timeout: 30_000 });
          await page.getByText(/last news \d+ min ago/).waitFor();
          await dashboards.world.loop(root, ["cancel"]);
        } finally {
          child.kill("SIGCONT");
        }
        await page.clock.resume();
        await page.getByText("connected", { exact: true }).waitFor({ timeout: 30_000 });
        await row(page, "asleep").waitFor({ state: "detached" });
        expect(await page.getByText("Nobody answers").count()).toBe(0);
      });
    },
  );

  test(
    "when its server is killed everything stays and nothing can be pressed; the next server asks for a new link",
    { timeout: 120_000 },
    async () => {
      await paused("left-alone");
      await dashboards.onPage(async (page, server) => {
        await row(page, "left-alone").waitFor();
        const { port } = new URL(server.origin);
        const killed = new Promise((resolve) => void server.child.on("exit", resolve));
        server.child.kill("SIGKILL");
        await killed;
        await page.getByText("Nobody answers").waitFor({ timeout: 30_000 });
        const button = row(page, "left-alone").getByRole("button", { name: /^Add/ });
        expect(await button.isDisabled()).toBe(true);
        await page.keyboard.press("a");
        expect(await page.getByRole("dialog").count()).toBe(0);
        const next = await serve(dashboards.world, ["--port", port]);
        try {
          await page
            .getByRole("heading", { name: "This page needs a new link." })
            .waitFor({ timeout: 30_000 });
          await page.goto(next.link);
          await page.reload();
          await page.getByText("connected", { exact: true }).waitFor();
          await row(page, "left-alone").waitFor();
        } finally {
          await next.stop();
        }
      });
    },
  );
});

/** A loop that is out of iterations; its project's root. */
async function paused(name: string): Promise<string> {
  const { world } = dashboards;
  const root = world.project(name, { "README.md": "A project\n" });
  const script = world.script(name, [turn(0.01, [], "Not yet.")]);
  await world.loop(root, [
    ...["run", "Write done.txt", "-c", "done=test -f done.txt", "--iterations", "1"],
    ...["--agent", "rehearsal", "--script", script],
  ]);
  return root;
}
