// Draws docs/side-by-side.png: the terminal of the README's run beside the dashboard's page of a loop that really ran.
// Needs an installed Chromium, and `npm run build` before.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser, openPage, serve } from "./nights/browser.mjs";
import { cornerShop } from "./nights/nights.mjs";
import { World } from "./nights/world.mjs";

const PICTURE = "docs/side-by-side.png";
const folder = mkdtempSync(join(tmpdir(), "loopwright-picture-"));
const browser = await launchBrowser();
try {
  const world = new World(folder);
  await cornerShop(world);
  const server = await serve(world);
  const page = await openPage(browser, server.link, { width: 1440 });
  await page.click("a[href^='/l/corner-shop']");
  await page.waitForSelector("text=The work");
  const seen = await page.screenshot({ clip: { x: 0, y: 0, width: 1440, height: 960 } });
  await page.context().close();
  await server.stop();
  writeFileSync(PICTURE, await beside(readFileSync("docs/demo.svg"), seen));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function beside(terminal, page) {
  const drawn = await (await browser.newContext({ viewport: { width: 1800, height: 760 } })).newPage();
  const data = (type, bytes) => `data:image/${type};base64,${bytes.toString("base64")}`;
  await drawn.setContent(
    `<body style="margin:0"><div style="padding:20px;background:#e9e6de;display:flex;gap:20px;align-items:center">
       <img style="width:860px;border-radius:8px" src="${data("svg+xml", terminal)}">
       <img style="width:880px;border-radius:8px" src="${data("png", page)}">
     </div></body>`,
  );
  await drawn.waitForFunction(() => [...document.images].every((image) => image.complete));
  const picture = await drawn.locator("div").screenshot();
  await drawn.context().close();
  return picture;
}
