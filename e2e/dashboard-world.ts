/// <reference lib="dom" />
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, openPage, serve } from "../scripts/nights/browser.mjs";
import { World } from "../scripts/nights/world.mjs";

type Server = Awaited<ReturnType<typeof serve>>;

interface Look {
  readonly width?: number;
  readonly dark?: boolean;
}

/** A machine of its own with a browser. */
export class Dashboards {
  readonly world = new World(mkdtempSync(join(tmpdir(), "loopwright-page-")));
  readonly browser: Browser;

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async begin(): Promise<Dashboards> {
    return new Dashboards(await launchBrowser());
  }

  async end(): Promise<void> {
    await this.browser.close();
    await this.world.end();
    rmSync(this.world.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  }

  async onPage(use: (page: Page, server: Server) => Promise<void>, look: Look = {}): Promise<void> {
    const server = await serve(this.world);
    const page = await openPage(this.browser, server.link, look);
    try {
      await use(page, server);
    } finally {
      await page.context().close();
      await server.stop();
    }
  }

  /** Of a project's only loop. */
  events(project: string): readonly { readonly type: string }[] {
    const loops = join(this.world.folder, "code", project, ".loop", "loops");
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
}

/** The address of a project's first loop on the home page; loops are read while the page is there already. */
export async function linkOf(page: Page, project: string): Promise<string> {
  const link = page.locator(`a[href^='/l/${project}-']`).first();
  await link.waitFor({ timeout: 60_000 });
  return (await link.getAttribute("href")) ?? "";
}

/** Opens a view as a link within the page would, and waits until it has what it shows. */
export async function visit(page: Page, origin: string, path: string): Promise<void> {
  if (page.url().startsWith(origin))
    await page.evaluate((address) => {
      history.pushState(null, "", address);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  else await page.goto(`${origin}${path}`);
  await page.locator("main h1").waitFor({ timeout: 60_000 });
  // Attempts, turns and changed lines come after it.
  await page.waitForTimeout(150);
}
