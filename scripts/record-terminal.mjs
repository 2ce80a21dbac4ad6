// Runs the README's loop for real, in a terminal and in a pipe, and puts what it prints into docs/demo.svg and README.md.
// With --check nothing is written: it ends with 1 where they say something else than today's program.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeShop } from "./shop/make.mjs";
import { screenOf, textOf } from "./terminal/screen.mjs";
import { svgOf } from "./terminal/svg.mjs";

const COLUMNS = 114;
const PICTURE = "docs/demo.svg";
const README = "README.md";
/** The block whose first lines are the command; the rest is what it prints. */
const TRANSCRIPT = /(```console\n\$ (loop run (?:.*\\\n)*.*)\n)([^]*?)(```\n)/;

const readme = readFileSync(README, "utf8");
const [, , command] = TRANSCRIPT.exec(readme) ?? [];
if (command === undefined) throw new Error(`${README} has no block that begins with "$ loop run"`);

const stale = [
  renewed(
    README,
    readme.replace(TRANSCRIPT, (_, head, _command, _old, end) => head + piped() + end),
  ),
  renewed(PICTURE, picture()),
].filter((path) => path !== null);
if (stale.length > 0 && process.argv.includes("--check")) {
  process.stderr.write(`Not what loop run prints today: ${stale.join(", ")}. Run: npm run readme\n`);
  process.exitCode = 1;
}

/** The path, if what stands there says something else. How long a run took does not matter. */
function renewed(path, text) {
  const withoutTimes = (each) => each.replaceAll(/\b\d+ s\b/g, "N s").replaceAll(/ textLength="[^"]*"/g, "");
  if (withoutTimes(readIfThere(path)) === withoutTimes(text)) return null;
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  return path;
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** As a script or a log sees it: an agent that claims too early, and then does the work. */
function piped() {
  return inShop(["claim", "fix"], ({ project, env }) => {
    const { stdout, error } = spawnSync("/bin/sh", ["-c", `{ ${command}\n} 2>&1`], {
      cwd: project,
      env,
      encoding: "utf8",
    });
    if (error !== undefined) throw error;
    return stdout;
  });
}

/** As a person sees it in the end: an agent that also takes the failing test out. */
function picture() {
  const output = inShop(["claim", "cheat", "fix"], ({ project, env }) => {
    const { stdout, stderr, status } = spawnSync(
      "script",
      ["-qefc", `stty cols ${COLUMNS} rows 40; ${command}`, "/dev/null"],
      {
        cwd: project,
        env: { ...env, SHELL: "/bin/sh", TERM: "xterm-256color" },
        input: "",
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new Error(`the run ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  });
  const rows = screenOf(`\u001b[32m$\u001b[39m ${command.replaceAll("\n", "\r\n")}\r\n${output}`, COLUMNS);
  while (rows.at(-1).length === 0) rows.pop();
  return svgOf(rows, { columns: COLUMNS, title: "corner-shop", alternative: textOf(rows) });
}

function inShop(turns, use) {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-shop-"));
  try {
    return use(makeShop(folder, turns));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
