import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { write } from "./measure.ts";

const SPEC = "Fix total() in cart.js and keep going until sh test.sh passes";
const SESSION = "6b1f2f2e-0d1c-4a55-9a0e-6f1f7f2c9a10";

/** What a model reads because of us while it brings one plain loop to its end, by where it reads it. */
export function benchSession(): void {
  const other = process.env["BENCH_BEFORE"];
  const dists = [...(other === undefined ? [] : [["before", other] as const]), ["now", "dist"] as const];
  const columns = dists.map(([name, dist]) => [name, playedWith(resolve(dist))] as const);
  const rows = [...new Set(columns.flatMap(([, parts]) => [...parts.keys()]))];
  write(
    "\nCharacters that one plain loop adds to a session (BENCH_BEFORE=FOLDER: also with the build in it)",
  );
  write(`  ${"".padEnd(28)} ${columns.map(([name]) => name.padStart(10)).join("")}`);
  const line = (name: string, of: (parts: ReadonlyMap<string, number>) => number): void =>
    write(`  ${name.padEnd(28)} ${columns.map(([, parts]) => String(of(parts)).padStart(10)).join("")}`);
  for (const row of rows) line(row, (parts) => parts.get(row) ?? 0);
  line("all of it", (parts) => [...parts.values()].reduce((sum, each) => sum + each, 0));
}

/** A loop that is claimed too early twice, and then done. */
function playedWith(dist: string): ReadonlyMap<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-bench-"));
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  for (const each of [project, home]) mkdirSync(each);
  writeFileSync(join(project, "cart.js"), "broken\n");
  writeFileSync(
    join(project, "test.sh"),
    "grep -q fixed cart.js || { echo 'expected fixed, got broken'; exit 1; }\n",
  );
  // Where a person is there, more is asked.
  const attended = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_CODE_ENTRYPOINT: "cli" };
  const env = { PATH: process.env["PATH"], HOME: home, ...attended };
  const run = (program: string, words: readonly string[], input: string): string => {
    const options = { cwd: project, env, input, encoding: "utf8" } as const;
    const { stdout, stderr } = spawnSync(process.execPath, [join(dist, program), ...words], options);
    return `${stdout}${stderr}`;
  };
  const loop = (...words: readonly string[]): number => run("cli.js", words, SPEC).length;
  const hook = (event: string, payload: object = {}): number =>
    readByModel(
      run(
        "hook.js",
        [event, "--host", "claude-code"],
        JSON.stringify({ session_id: SESSION, cwd: project, ...payload }),
      ),
    );
  try {
    const parts = new Map([
      ["skill", readFileSync(join(dist, "plugin", "skills", "start", "SKILL.md"), "utf8").length],
      ["session start", hook("session-start", { hook_event_name: "SessionStart" })],
      ["loop score", loop("score", "-f", "-")],
      ["loop start", loop("start", "-f", "-", "-c", "tests pass=sh test.sh", "-s", "Fix total()")],
      ["loop check", loop("check")],
      ["loop done, too early", loop("done")],
      ["first hold", hook("stop", { hook_event_name: "Stop" })],
      ["loop done, again", loop("done")],
      ["second hold", hook("stop", { hook_event_name: "Stop", stop_hook_active: true })],
    ]);
    writeFileSync(join(project, "cart.js"), "fixed\n");
    parts.set("loop step done", loop("step", "done", "Fix total()"));
    parts.set("loop done", loop("done"));
    parts.set("the end", hook("stop", { hook_event_name: "Stop", stop_hook_active: true }));
    return parts;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What is for the user alone costs nothing. */
function readByModel(printed: string): number {
  try {
    const { reason, hookSpecificOutput } = JSON.parse(printed) as {
      reason?: string;
      hookSpecificOutput?: { additionalContext?: string };
    };
    return (reason ?? hookSpecificOutput?.additionalContext ?? "").length;
  } catch {
    return 0;
  }
}
