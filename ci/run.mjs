#!/usr/bin/env node
// Runs a spec in a CI job: takes it from a file or an issue, calls `loop run`, leaves outputs and a summary, and maps
// exit codes. Every setting is a variable, so that no text of others is ever part of a command line.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { warnOfCloneToken } from "./github/clone-token.mjs";
import { githubIssue } from "./github/issue.mjs";
import { stopLogCommands } from "./github/log-commands.mjs";
import { forgetCloneToken } from "./gitlab/clone-token.mjs";
import { gitlabIssue } from "./gitlab/issue.mjs";
import { specOfIssue } from "./issue-spec.mjs";
import { keepReport } from "./report.mjs";
import { rememberRunnerFiles } from "./runner-files.mjs";
import { withoutWithheld } from "./withheld.mjs";
import { currentCommit, keepWork } from "./work.mjs";

const LOOP = join(dirname(fileURLToPath(import.meta.url)), "..", "loop");
const CLI = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "cli.js");

/** The names of `loop run`'s exit codes in outputs and in LOOP_ALLOW. */
const OUTCOMES = {
  0: "completed",
  1: "error",
  2: "budget",
  3: "iterations",
  4: "paused",
  5: "vague",
  6: "weak",
  129: "interrupted",
  130: "interrupted",
  143: "interrupted",
};
/** Nobody with permission asked for it, so nothing ran. */
const REFUSED = 78;

const SUMMARY = ".loop/summary.md";

const env = process.env;
const isGitlab = env.GITLAB_CI === "true";
const obeyLogAgain = stopLogCommands(env);
const signals = takeSignals();
try {
  process.exitCode = await main();
} finally {
  obeyLogAgain();
}

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
    leaveSummary(code);
    say(`Outcome: ${outcome} (${code}).${meaningOf(code, " ")}`);
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
  const number = (env.LOOP_ISSUE ?? "").trim();
  // An event may have an issue although nobody asked for it.
  if (number === "") throw new Error("no spec, spec file or issue is given");
  const issue = await (isGitlab
    ? gitlabIssue(env, number)
    : githubIssue(env, number === "event" ? "" : number));
  return specOfIssue(issue, { label: (env.LOOP_LABEL ?? "").trim(), authors: list(env.LOOP_AUTHORS, ",") });
}

async function runLoop(file) {
  const args = ["run", "-f", file];
  // Budget and iterations stay variables, within the bounds that only a flag may exceed.
  for (const [flag, value] of [
    ["--agent", env.LOOP_AGENT],
    ["--model", env.LOOP_MODEL],
    ["--permission-mode", env.LOOP_PERMISSION_MODE],
    ["--max-minutes", env.LOOP_MAX_MINUTES],
    ["--proof", env.LOOP_PROOF],
    ["--accept", env.LOOP_ACCEPT],
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
    ["--allow", env.LOOP_PERMISSIONS],
  ]) {
    for (const line of list(lines, "\n")) args.push(`${flag}=${line}`);
  }
  const program = existsSync(LOOP) ? [LOOP] : [process.execPath, CLI];
  if (isGitlab) forgetCloneToken(env, say);
  else warnOfCloneToken(say);
  const putBack = rememberRunnerFiles(env);
  const base = currentCommit(env);
  try {
    return await spawnAndWait([...program, ...args]);
  } finally {
    const kept = keepWork(base, env);
    if (kept !== null) say(kept);
    const report = keepReport(program, env);
    if (report !== null) say(report);
    const changed = putBack();
    if (changed.length > 0) say(`Undone: something wrote to the runner's own files (${changed.join(", ")}).`);
  }
}

/**
 * Cancelling a job pauses its loop and keeps what it has. Signals are taken from the beginning on, so that one that comes
 * before the loop was started leaves its outcome, too.
 */
function takeSignals() {
  const taken = { signal: null, pass: () => {} };
  // The first signal of a runner leaves ten seconds: too few to finish the iteration, which is what SIGINT would ask for.
  for (const [received, passed] of Object.entries({
    SIGINT: "SIGTERM",
    SIGTERM: "SIGTERM",
    SIGHUP: "SIGHUP",
  })) {
    process.on(received, () => {
      taken.signal = passed;
      taken.pass(passed);
    });
  }
  return taken;
}

function spawnAndWait([program, ...args]) {
  if (signals.signal !== null) return 128 + constants.signals[signals.signal];
  return new Promise((resolve, reject) => {
    signals.pass = (signal) => child.kill(signal);
    const child = spawn(program, args, {
      // All into one stream: what stands in another may be read after the word that the log is obeyed again.
      stdio: ["ignore", 1, 1],
      env: { ...withoutWithheld(env), LOOP_HEADLESS: "true" },
    });
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** Where later steps and jobs find it: outputs on GitHub, a file on GitLab. */
function leave({ code, outcome }) {
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `code=${code}\noutcome=${outcome}\n`);
  if (!isGitlab) return;
  // Whatever was put in its place is not written through.
  rmSync("loop.env", { recursive: true, force: true });
  writeFileSync("loop.env", `LOOP_CODE=${code}\nLOOP_OUTCOME=${outcome}\n`, { flag: "wx" });
}

/** The two ways a run can finish: verified, or only claimed. */
function meaningOf(code, before) {
  if (code === 6) return `${before}Finished, but weak or unverified; "accept: weak" lets such a job pass.`;
  if (code !== 0) return "";
  return `${before}${env.LOOP_ACCEPT === "weak" ? "Finished; weak evidence is accepted here." : "Completed and verified."}`;
}

function leaveSummary(code) {
  if (!env.GITHUB_STEP_SUMMARY || !lstatSync(SUMMARY, { throwIfNoEntry: false })?.isFile()) return;
  const meaning = meaningOf(code, "");
  const head = meaning === "" ? "" : `**${meaning}**\n\n`;
  appendFileSync(env.GITHUB_STEP_SUMMARY, `${head}${readFileSync(SUMMARY, "utf8")}`);
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
