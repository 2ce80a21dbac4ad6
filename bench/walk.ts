import { lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { medians, node, report, write } from "./measure.ts";

const FOLDERS = 400;
const FILES_PER_FOLDER = 500;
const TITLE = "A stop without git, 200,000 files that did not change";

/** What a stop with one check costs in a large project without git, beside one walk over its files. */
export async function benchWalk(folder: string): Promise<void> {
  const root = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(home);
  for (let each = 0; each < FOLDERS; each += 1) {
    const path = join(root, `module-${each}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file += 1)
      writeFileSync(join(path, `file-${file}.txt`), `${each} ${file}\n`);
  }
  const env = { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(home, "state") };
  const options = { cwd: root, env };
  const start = performance.now();
  const words = ["start", "Fix it", "-c", "ok=false", "--session", "s1", "--iterations", "50"];
  const breakers = ["--stuck-limit", "0", "--same-error-limit", "0", "--no-progress-limit", "0"];
  node([resolve("dist/cli.js"), ...words, ...breakers], options);
  const first = performance.now() - start;
  const claim = "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
  const input = JSON.stringify({
    hook_event_name: "Stop",
    session_id: "s1",
    cwd: root,
    last_assistant_message: claim,
  });
  const figures = await medians(
    [
      { name: "one walk", run: () => walk(root) },
      {
        name: "a stop with one check",
        run: () => node([resolve("dist/hook.js"), "stop"], { ...options, input }),
      },
    ],
    3,
  );
  report(TITLE, figures, "one walk", { "a stop with one check": "≤ 10 ×" });
  write(`  loop start, once: ${(first / 1000).toFixed(1)} s`);
}

function walk(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path);
    else lstatSync(path);
  }
}
