import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished, vi } from "vitest";

const SEPARATOR = "\u001f";

/**
 * Counts the git processes that are started: a `git` that notes its arguments, and becomes the real one. For programs, put
 * `path` into their environment, and ask `started()`; for what this process does itself, `during()`.
 */
export class GitCounter {
  /** A PATH on which the counted git is first. */
  readonly path: string;
  readonly #notes: string;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "loopwright-counted-git-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    this.#notes = join(folder, "notes");
    this.path = `${folder}${delimiter}${process.env["PATH"]}`;
    const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    // One write for each process: they run side by side.
    const script = `#!/bin/sh
line=$(printf '%s${SEPARATOR}' "$@")
printf '%s\\n' "$line" >> '${this.#notes}'
exec '${real}' "$@"
`;
    writeFileSync(join(folder, "git"), script, { mode: 0o755 });
    writeFileSync(this.#notes, "");
  }

  /** The commands of git that were started since this was last asked, such as `add`; sorted. */
  started(): readonly string[] {
    const lines = readFileSync(this.#notes, "utf8").split("\n").slice(0, -1);
    writeFileSync(this.#notes, "");
    return lines.map((line) => commandIn(line.split(SEPARATOR))).toSorted();
  }

  /** The commands of git that this process starts meanwhile. */
  async during(act: () => Promise<unknown>): Promise<readonly string[]> {
    this.started();
    vi.stubEnv("PATH", this.path);
    try {
      await act();
    } finally {
      vi.unstubAllEnvs();
    }
    return this.started();
  }
}

/** The first argument that is neither an option nor the value of `-c`. */
function commandIn(args: readonly string[]): string {
  return args.find((each, position) => !each.startsWith("-") && args[position - 1] !== "-c") ?? "";
}
