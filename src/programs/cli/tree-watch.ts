import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TreeWatch } from "../../system/tree/tree-digest.ts";
import { bounded } from "./program.ts";
import type { Terminal } from "../../views/terminal/terminal.ts";

const SHOWN_AFTER_MS = 1_000;
const SHOWN_EVERY_MS = 200;

/** Shows progress while the first look at a project's files takes long, and reports what is odd about them, once per project. */
export function createTreeWatch(
  { isInteractive, complain, complainAsIs }: Terminal,
  home: string,
): TreeWatch {
  const began = performance.now();
  let shownAt: number | null = null;
  let isFirst = true;
  return {
    reads(done, all) {
      const now = performance.now();
      if (!isInteractive || !isFirst || now - began < SHOWN_AFTER_MS) return;
      if (shownAt !== null && now - shownAt < SHOWN_EVERY_MS) return;
      shownAt = now;
      complainAsIs(`\r\u001B[KReading files: ${done.toLocaleString("en")} of ${all.toLocaleString("en")}`);
    },
    ends(root, notes) {
      isFirst = false;
      if (shownAt !== null) complainAsIs("\r\u001B[K");
      shownAt = null;
      const told = join(
        home,
        "trees",
        `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.told`,
      );
      if (notes.length === 0 || notes.join("\n") === textOf(told)) return;
      for (const note of notes) complain(`loop: ${bounded(note)}`);
      remember(told, notes.join("\n"));
    },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function remember(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
  } catch {
    // It is reported once more.
  }
}
