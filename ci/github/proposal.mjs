import { readFileSync } from "node:fs";
import { fetchJson } from "../fetch-json.mjs";

/** actions/checkout leaves this job's token in its clone, and that is what the push uses. */
export function githubProposal(env) {
  const branch = env.LOOP_BRANCH || `loop/${env.GITHUB_RUN_ID}-${env.GITHUB_RUN_ATTEMPT ?? 1}`;
  const repository = `${env.GITHUB_API_URL ?? "https://api.github.com"}/repos/${env.GITHUB_REPOSITORY}`;
  return {
    branch,
    remote: "origin",
    pushSettings: [],
    pushEnv: {},
    footer: footerOf(env),
    async open({ title, text }) {
      const headers = { authorization: `Bearer ${env.GITHUB_TOKEN ?? ""}` };
      const sent = { title, body: text, head: branch, base: env.LOOP_BASE || env.GITHUB_REF_NAME };
      const opened = await fetchJson(`${repository}/pulls`, headers, sent);
      return String(opened.html_url);
    },
  };
}

function footerOf(env) {
  const run = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const issue = issueOf(env);
  return `${issue === null ? "" : `Closes #${issue}. `}Made by [this run](${run}), which keeps the journal.`;
}

/** The issue that started the workflow. */
function issueOf(env) {
  if (!env.GITHUB_EVENT_PATH) return null;
  const number = Number(JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")).issue?.number);
  return Number.isInteger(number) ? number : null;
}
