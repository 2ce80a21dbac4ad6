// The built dashboard of a world in an installed Chromium.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import axe from "axe-core";
import { chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function chromiumPath() {
  return process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path)) ?? null;
}

export async function launchBrowser() {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--force-color-profile=srgb"],
  });
}

/** Serves until `stop`. `link` lets one browser in. */
export async function serve(world, args = []) {
  const child = spawn(process.execPath, [resolve("dist/cli.js"), "dashboard", "--no-open", ...args], {
    cwd: world.folder,
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const link = await new Promise((done, failed) => {
    const take = (chunk) => {
      text += chunk;
      const found = /http:\S+#code=\S+/.exec(text);
      if (found !== null) done(found[0]);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("exit", () => failed(new Error(text)));
  });
  return {
    link,
    child,
    origin: new URL(link).origin,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = new Promise((done) => child.on("exit", (code) => done(code)));
      child.kill("SIGINT");
      return ended;
    },
  };
}

/** A page that is let in. */
export async function openPage(browser, link, { width = 1440, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: width < 900 ? 844 : 900 },
    deviceScaleFactor: width < 900 ? 2 : 1,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForSelector("h1");
  return page;
}

/**
 * What keeps somebody from using a view, as axe sees it: a line each. `rules`: only these.
 * @param {import("playwright-core").Page} page
 * @param {string[] | null} [rules]
 * @returns {Promise<string[]>}
 */
export async function violations(page, rules = null) {
  // The page's own policy lets no other script in, so it comes in by the debugger.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (only) => {
    const { violations: found } = await globalThis.axe.run({
      resultTypes: ["violations"],
      ...(only === null ? {} : { runOnly: { type: "rule", values: only } }),
    });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }, rules);
}
