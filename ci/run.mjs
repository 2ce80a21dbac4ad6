#!/usr/bin/env node
// Runs a spec in a CI job: takes it from a file or an issue, calls `loop run`, leaves outputs and a summary, and maps
// exit codes. Every setting is a variable, so that no text of others is ever part of a command line.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { githubIssue } from "./github/issue.mjs";
import { gitlabIssue } from "./gitlab/issue.mjs";
import { specOfIssue } from "./issue-spec.mjs";

const LOOP = join(dirname(fileURLToPath(import.meta.url)), "..", "loop");
const CLI = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "cli.js");

/** What the exit codes of `loop run` are called in outputs, and in LOOP_ALLOW. */
const OUTCOMES = {
  0: "completed",
  1: "error",
  2: "budget",
  3: "iterations",
  4: "paused",
  5: "vague",
  130: "interrupted",
};
/** Nobody with the rights to ask had asked: nothing was run. */
const REFUSED = 78;

const env = process.env;
process.exitCode = await main();

async function main() {
  const folder = mkdtempSync(join(env.RUNNER_TEMP || tmpdir(), "loop-spec-"));
  try {
    const source = await specSource();
    if (source.refused !== undefined) {
      say(`Not run: ${source.refused}.`);
      leave({ code: REFUSED, outcome: "refused" });
      return list(env.LOOP_ALLOW, ",").includes("refused") ? 0 : 1;
    }
    const file = join(folder, "spec.md");
    writeFileSync(file, source.spec, { mode: 0o600 });
    const code = await runLoop(file);
    const outcome = OUTCOMES[code] ?? "error";
    leave({ code, outcome });
    say(`Outcome: ${outcome} (${code}).`);
    return list(env.LOOP_ALLOW, ",").includes(outcome) ? 0 : code;
  } catch (error) {
    say(`Not run: ${error instanceof Error ? error.message : String(error)}.`);
    leave({ code: 1, outcome: "error" });
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function specSource() {
  if (env.LOOP_SPEC_FILE) return { spec: readFileSync(env.LOOP_SPEC_FILE, "utf8") };
  if (env.LOOP_SPEC) return { spec: env.LOOP_SPEC };
  const isGitlab = env.GITLAB_CI === "true";
  const number = (env.LOOP_ISSUE ?? "").trim();
  const issue = await (isGitlab
    ? gitlabIssue(env, number)
    : githubIssue(env, number === "event" ? "" : number));
  return specOfIssue(issue, { label: (env.LOOP_LABEL ?? "").trim(), authors: list(env.LOOP_AUTHORS, ",") });
}

function runLoop(file) {
  const args = ["run", "-f", file];
  for (const [flag, value] of [
    ["--agent", env.LOOP_AGENT],
    ["--model", env.LOOP_MODEL],
    ["--permission-mode", env.LOOP_PERMISSION_MODE],
    ["--budget", env.LOOP_BUDGET],
    ["--iterations", env.LOOP_MAX_ITERATIONS],
    ["--max-minutes", env.LOOP_MAX_MINUTES],
    ["--command", env.LOOP_COMMAND],
    ["--script", env.LOOP_SCRIPT],
  ]) {
    if (value) args.push(`${flag}=${value}`);
  }
  for (const [flag, lines] of [
    ["--criterion", env.LOOP_CHECKS],
    ["--must-not", env.LOOP_MUST_NOT],
    ["--protect", env.LOOP_PROTECT],
    ["--agent-arg", env.LOOP_AGENT_ARGS],
  ]) {
    for (const line of list(lines, "\n")) args.push(`${flag}=${line}`);
  }
  const program = existsSync(LOOP) ? [LOOP] : [process.execPath, CLI];
  return spawnAndWait([...program, ...args]);
}

/** Signals are passed on: a job that is cancelled pauses its loop, and still leaves what it has. */
function spawnAndWait([program, ...args]) {
  // The job's own tokens were for reading the issue; the agent has no use for them.
  const { GITHUB_TOKEN: _github, CI_JOB_TOKEN: _job, LOOP_GITLAB_TOKEN: _gitlab, ...rest } = env;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...rest, LOOP_HEADLESS: "true" },
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 130));
  });
}

/** Where the job shows it: outputs and the job's summary on GitHub, variables of a report on GitLab. */
function leave({ code, outcome }) {
  const lines = `code=${code}\noutcome=${outcome}\n`;
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, lines);
  if (env.GITLAB_CI === "true") writeFileSync("loop.env", `LOOP_CODE=${code}\nLOOP_OUTCOME=${outcome}\n`);
  if (env.GITHUB_STEP_SUMMARY && existsSync(".loop/summary.md")) {
    appendFileSync(env.GITHUB_STEP_SUMMARY, readFileSync(".loop/summary.md"));
  }
}

function list(text, separator) {
  return (text ?? "")
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function say(text) {
  process.stdout.write(`loop: ${text}\n`);
}
