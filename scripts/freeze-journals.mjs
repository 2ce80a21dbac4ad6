// Keeps journals as one version of the program writes them, in test/fixtures/journals/SET: each with the loop that this
// version makes of it. Run it whenever the form of an event changes, with the program as it was before that change:
//
//   git worktree add /tmp/before COMMIT && cd /tmp/before && npm ci && npm run build
//   node scripts/freeze-journals.mjs /tmp/before SET
//
// It adds a set, and never replaces one: test/frozen-journals.test.ts holds every later program to all of them.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { Project } from "./freeze/project.mjs";
import { SCENARIOS } from "./freeze/scenarios.mjs";

const [program, set] = process.argv.slice(2);
if (program === undefined || set === undefined) fail("node scripts/freeze-journals.mjs PROGRAM-FOLDER SET");
const folder = resolve("test/fixtures/journals", set);
if (existsSync(folder)) fail(`${folder} is there already, and a set is never replaced`);

const workshop = mkdtempSync(join(tmpdir(), "loopwright-freeze-"));
try {
  const loadJournal = await loaderOf(resolve(program));
  mkdirSync(join(workshop, "frozen"));
  for (const [name, play] of Object.entries(SCENARIOS)) {
    const project = new Project(join(workshop, name), resolve(program));
    await play(project);
    const frozen = join(workshop, "frozen", name);
    copyFileSync(project.journal, `${frozen}.jsonl`);
    const { loop } = loadJournal(project.journal, { fromScratch: true });
    writeFileSync(`${frozen}.loop.json`, `${JSON.stringify(loop, null, 2)}\n`);
    process.stdout.write(
      `${name}: ${readFileSync(project.journal, "utf8").split("\n").length - 1} records, ${loop.phase}\n`,
    );
  }
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(SCENARIOS))
    for (const ending of ["jsonl", "loop.json"])
      copyFileSync(join(workshop, "frozen", `${name}.${ending}`), join(folder, `${name}.${ending}`));
} finally {
  rmSync(workshop, { recursive: true, force: true, maxRetries: 5 });
}

/** That program's own way of loading, out of its sources. */
async function loaderOf(program) {
  const outfile = join(workshop, "load.mjs");
  await build({
    entryPoints: [join(program, "src/storage/journal/file/read.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return (await import(pathToFileURL(outfile).href)).loadJournal;
}

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
