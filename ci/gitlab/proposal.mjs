import { readFileSync } from "node:fs";
import { fetchJson } from "../fetch-json.mjs";

/** A job's own token may neither push nor open a merge request everywhere, so the user sets another one. */
export function gitlabProposal(env) {
  const token = env.LOOP_GITLAB_TOKEN;
  if (!token)
    throw new Error("LOOP_GITLAB_TOKEN is missing (a masked variable with api and write_repository)");
  const outcome = outcomeIn("loop.env");
  // A pause is only a warning on GitLab, and later jobs run after a warning.
  if (!["completed", ...(env.LOOP_PUBLISH ?? "").split(/[\s,]+/)].includes(outcome)) {
    throw new Error(`the run's outcome is "${outcome}"; LOOP_PUBLISH names others that may be published`);
  }
  const branch = env.LOOP_BRANCH || `loop/${env.CI_PIPELINE_ID}-${env.CI_JOB_ID}`;
  const credentials = Buffer.from(`oauth2:${token}`).toString("base64");
  return {
    branch,
    remote: `${env.CI_PROJECT_URL}.git`,
    // Named by a variable of git's own: an argument could be read by every process of the machine.
    pushSettings: ["--config-env=http.extraHeader=LOOP_PUSH_HEADER"],
    pushEnv: { LOOP_PUSH_HEADER: `Authorization: Basic ${credentials}` },
    footer: `Made by [this pipeline](${env.CI_PIPELINE_URL}), which keeps the journal.`,
    async open({ title, text }) {
      const sent = {
        source_branch: branch,
        target_branch: env.LOOP_BASE || env.CI_COMMIT_BRANCH || env.CI_DEFAULT_BRANCH,
        title,
        description: text,
      };
      const project = `${env.CI_API_V4_URL}/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? "")}`;
      const opened = await fetchJson(`${project}/merge_requests`, { "private-token": token }, sent);
      return String(opened.web_url);
    },
  };
}

function outcomeIn(path) {
  try {
    return /^LOOP_OUTCOME=(\w+)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? "unknown";
  } catch {
    return "unknown";
  }
}
