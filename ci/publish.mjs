#!/usr/bin/env node
// Opens a pull request (a merge request on GitLab) with the work of another job: fetches its bundle, pushes it as a
// branch, and sends the run's summary as the text. Nothing of the work is checked out or run here, so this job may have
// the rights that the agent's must not have.
import { lstatSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { githubProposal } from "./github/proposal.mjs";
import { gitlabProposal } from "./gitlab/proposal.mjs";
import { readableText, titleOf } from "./proposal-text.mjs";
import { BUNDLE, must, WORK_REF } from "./work.mjs";

/** A summary is some kilobytes; whatever is far beyond that isn't one. */
const LARGEST_SUMMARY = 10 * 1024 * 1024;

const env = process.env;

try {
  process.stdout.write(`loop: ${await publish()}\n`);
} catch (error) {
  process.stdout.write(`loop: Not published: ${error instanceof Error ? error.message : String(error)}.\n`);
  process.exitCode = 1;
}

async function publish() {
  const folder = resolve(env.LOOP_WORK || ".loop");
  const bundle = join(folder, BUNDLE);
  if (!isFile(bundle)) return "Nothing to publish: the run changed nothing.";
  const host = env.GITLAB_CI === "true" ? gitlabProposal(env) : githubProposal(env);
  const summary = summaryOf(join(folder, "summary.md"));
  // What comes from an agent's machine is looked at before it is kept.
  const checked = ["-c", "fetch.fsckObjects=true"];
  must([...checked, "fetch", "--quiet", "--no-tags", "--force", bundle, `${WORK_REF}:${WORK_REF}`], env);
  const pushed = `${WORK_REF}:refs/heads/${host.branch}`;
  must([...host.pushSettings, "push", "--quiet", host.remote, pushed], { ...env, ...host.pushEnv });
  const address = await host.open({
    title: env.LOOP_TITLE || titleOf(summary),
    text: readableText(summary, host.footer),
  });
  return `Opened ${address}`;
}

function summaryOf(path) {
  if (!isFile(path)) throw new Error(`${path} is missing, so there is no evidence to show`);
  return readFileSync(path, "utf8");
}

function isFile(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (path.endsWith(BUNDLE) || found.size <= LARGEST_SUMMARY);
}
