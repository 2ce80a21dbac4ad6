// Records journals for the dashboard's tests, as this program writes them: node scripts/record-night.mjs [FOLDER]
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyEnding } from "./nights/nights.mjs";
import { World } from "./nights/world.mjs";

const out = process.argv[2] ?? "e2e/recordings/night";
const world = new World(mkdtempSync(join(tmpdir(), "loopwright-night-")));
try {
  await everyEnding(world);
} finally {
  await world.end();
}
rmSync(out, { recursive: true, force: true });
for (const project of readdirSync(join(world.folder, "code"))) {
  const loops = join(world.folder, "code", project, ".loop", "loops");
  const name = project.replaceAll(/[^\w-]+/g, "");
  mkdirSync(join(out, name), { recursive: true });
  for (const id of readdirSync(loops))
    copyFileSync(join(loops, id, "journal.jsonl"), join(out, name, `${id}.jsonl`));
}
rmSync(world.folder, { recursive: true, force: true });
