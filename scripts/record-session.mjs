// Draws docs/session.svg from the real client: its whole story is played in a terminal with a person who answers, and what that person
// saw is kept, without the lists of subagents and what only the agent reads. Needs tmux, and (cd e2e && npm install).
// With a file as its argument, it draws a screen that was recorded before.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { screenOf, textOf } from "./terminal/screen.mjs";
import { svgOf } from "./terminal/svg.mjs";

const PICTURE = "docs/session.svg";
const COLUMNS = 114;
const WIDEST = 1_000;
/** Lists of subagents, results that only the agent reads, and how long the client thought. */
const LEFT_OUT =
  /^ {3}[├│└] |^ {5}⎿ {2}Done|ctrl\+o|^✻|^ {2}(?:No honest way|For the user, to|Ready:|At work:|pending tasks:|and stop when)|^ {2}⎿ {2}(?:loop:|---|Done \(|PostToolUse:Bash says: \[LOOP\] Iteration|Stop says: \[LOOP\] Not held)|^ {5}(?:loop:|T-\d+:|R-\d+:|\.email|active )|^ {7}Make the cart|^─|⏵⏵|^❯$/;

const folder = mkdtempSync(join(tmpdir(), "loopwright-session-"));
try {
  const rows = screenOf(recorded().replaceAll("\u00a0", " ").replaceAll("\n", "\r\n"), WIDEST)
    .map((pieces) => shortened(withoutFolder(pieces)))
    .filter((pieces) => !LEFT_OUT.test(lineOf(pieces)));
  const kept = rows.filter((pieces, index) => lineOf(pieces) !== "" || lineOf(rows[index - 1] ?? []) !== "");
  while (lineOf(kept.at(-1) ?? []) === "") kept.pop();
  writeFileSync(PICTURE, svgOf(kept, { columns: COLUMNS, title: "claude", alternative: textOf(kept) }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The screen of the story's last terminal, with its colours. */
function recorded() {
  const [given] = process.argv.slice(2);
  if (given !== undefined) return readFileSync(given, "utf8");
  const path = join(folder, "screen");
  const words = ["vitest", "run", "--config", "e2e/vitest.config.ts", "e2e/session-terminal-story.test.ts"];
  const { status } = spawnSync("npx", words, {
    env: { ...process.env, RECORD_SESSION: path },
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the story was not played to its end");
  return readFileSync(path, "utf8");
}

function lineOf(pieces) {
  return pieces
    .map(({ text }) => text)
    .join("")
    .trimEnd();
}

/** The project is in a folder that nobody else has. */
function withoutFolder(pieces) {
  return pieces.map((piece) => ({
    ...piece,
    text: piece.text.replace(/\/\S*loopwright-test-\w+\/project/, "~/corner-shop"),
  }));
}

function shortened(pieces) {
  let left = COLUMNS;
  return pieces.flatMap((piece) => {
    const text = piece.text.length > left ? `${piece.text.slice(0, Math.max(0, left - 1))}…` : piece.text;
    left -= text.length;
    return left < 0 || text === "…" ? [] : [{ ...piece, text }];
  });
}
