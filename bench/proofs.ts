import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { node, report } from "./measure.ts";
import { createBenchProject } from "./project.ts";

const CLI = resolve("dist/cli.js");
const HOOK = resolve("dist/hook.js");
const CHECK = "sleep 10 && node --test";
const CLAIM = "Done.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
const PATIENT = { LOOP_HOOK_PATIENCE_MS: "600000" };

const PLAIN = "the check alone";
const SOURCE = "source changed";
const TESTS = "source and tests changed";
const MODULE = "a new module with its tests";

interface Work {
  readonly [path: string]: string;
}

const WRONG: Work = { "sum.js": "exports.sum = (a, b) => a - b;\n" };
const RIGHT: Work = { "sum.js": "exports.sum = (a, b) => a + b;\n" };

/** Seconds from a claim to its completion, over the time of the check itself: what proofs add. */
export async function benchProofs(folder: string): Promise<void> {
  const figures = new Map<string, number>();
  const cases = [
    [SOURCE, { ...testing("1, 2"), ...WRONG }, RIGHT],
    [TESTS, { ...testing("1, 2"), ...WRONG }, { ...RIGHT, ...testing("2, 1") }],
    [MODULE, testing("1, 2"), { ...RIGHT, ...testing("2, 1") }],
  ] as const;
  for (const [index, [name, before, after]] of cases.entries()) {
    const { root, env } = createBenchProject(join(folder, String(index)));
    const options = { cwd: root, env };
    lay(root, before);
    const criterion = `tests pass=${CHECK}`;
    node([CLI, "start", "Mend sum()", "-c", criterion, "--session", "bench"], options);
    lay(root, after);
    if (index === 0) {
      const took = timed(() => void spawnSync("/bin/sh", ["-c", CHECK], options));
      figures.set(PLAIN, took);
    }
    const input = JSON.stringify({
      hook_event_name: "Stop",
      session_id: "bench",
      last_assistant_message: CLAIM,
    });
    const stop = { ...options, env: { ...env, ...PATIENT }, input };
    figures.set(
      name,
      timed(() => node([HOOK, "stop"], stop)),
    );
    expectVerified(options);
  }
  report("From a claim to its completion, of a check of ten seconds", figures, PLAIN, {
    [SOURCE]: "2.5 or less",
    [TESTS]: "3.5 or less",
    [MODULE]: "4.5 or less",
  });
}

function testing(numbers: string): Work {
  const text = `const { equal } = require("node:assert");
const { test } = require("node:test");
const { sum } = require("./sum.js");
test("sum", () => equal(sum(${numbers}), 3));
`;
  return { "sum.test.js": text };
}

function lay(root: string, files: Work): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** What was held or is weak was not proven, and its time says nothing. */
function expectVerified(options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): void {
  const { stdout } = spawnSync(process.execPath, [CLI, "status", "--all", "--json"], {
    ...options,
    encoding: "utf8",
  });
  const [loop] = (JSON.parse(stdout) as { loops: readonly { readonly confidence: string }[] }).loops;
  if (loop?.confidence !== "verified") throw new Error(`it was not proven: ${stdout}`);
}
