// Makes a night on a machine of its own, to look at: node scripts/make-night.mjs FOLDER [NIGHT], one of those in nights.mjs
// Runs go on until Ctrl-C; with --leave they are killed at once, and what they left stays.
import { World } from "./nights/world.mjs";
import { NIGHTS } from "./nights/nights.mjs";

const [folder, name = "mixed"] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (folder === undefined || NIGHTS[name] === undefined)
  throw new Error(`node scripts/make-night.mjs FOLDER [${Object.keys(NIGHTS).join("|")}]`);
const world = new World(folder);
await NIGHTS[name](world);
process.stdout.write(`XDG_STATE_HOME=${world.env.XDG_STATE_HOME} HOME=${world.env.HOME}\n`);
if (process.argv.includes("--leave")) {
  await world.end();
} else {
  process.on("SIGINT", () => void world.end().then(() => process.exit()));
  process.on("SIGTERM", () => void world.end().then(() => process.exit()));
  setInterval(() => undefined, 60_000);
}
