// Pictures of the dashboard over a world that was made before: node scripts/shoot.mjs WORLD OUT [all]
// Home and each loop that is worth a look, at 1440 px in light; with `all` also dark, and at 390 px.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, openPage, serve, violations } from "./nights/browser.mjs";
import { World } from "./nights/world.mjs";

const [folder, out, all] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const world = new World(folder);
const browser = await launchBrowser();
const looks =
  all === "all"
    ? [
        [1440, false],
        [1440, true],
        [390, false],
        [390, true],
      ]
    : [[1440, false]];
try {
  for (const [width, dark] of looks) {
    const server = await serve(world);
    const page = await openPage(browser, server.link, { width, dark });
    const shot = async (what) => {
      await page.screenshot({ path: name(what), fullPage: true });
      for (const line of await violations(page)) process.stderr.write(`${what} ${width}: ${line}\n`);
    };
    const name = (what) => join(out, `${what}-${width}${dark ? "-dark" : ""}.png`);
    await page.waitForTimeout(1_200);
    await shot("home");
    const links = await page.$$eval("a[href^='/l/']", (found) => [
      ...new Set(found.map((each) => each.getAttribute("href").replace(/\/review$/, ""))),
    ]);
    for (const link of links) {
      await page.goto(`${server.origin}${link}`);
      await page.waitForSelector("h1");
      await page.waitForTimeout(900);
      const project = link.split("/")[2].replace(/-[0-9a-f]{8}$/, "");
      await shot(project);
      if ((await page.$("a[href$='/review']")) !== null) {
        await page.goto(`${server.origin}${link}/review`);
        await page.waitForSelector("h1");
        // The lines of each task come after the rest.
        await page.waitForTimeout(2_500);
        await shot(`${project}-review`);
      }
    }
    await page.context().close();
    await server.stop();
  }
} finally {
  await browser.close();
}
