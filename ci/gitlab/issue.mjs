import { fetchJson } from "../fetch-json.mjs";

/** A Developer, or anyone with more permissions. */
const MAY_WRITE = 30;

export async function gitlabIssue(env, number) {
  if (!/^\d{1,10}$/.test(number)) throw new Error("LOOP_ISSUE must be the number of an issue");
  const project = `${env.CI_API_V4_URL}/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? "")}`;
  // A job's own token cannot read issues everywhere; the user may set another one.
  const headers = env.LOOP_GITLAB_TOKEN
    ? { "private-token": env.LOOP_GITLAB_TOKEN }
    : { "job-token": env.CI_JOB_TOKEN ?? "" };
  const issue = await fetchJson(`${project}/issues/${number}`, headers);
  const member = await fetchJson(`${project}/members/all/${Number(issue.author.id)}`, headers).catch(
    () => null,
  );
  return {
    title: String(issue.title),
    body: issue.description === null || issue.description === undefined ? null : String(issue.description),
    labels: issue.labels.map(String),
    author: String(issue.author.username),
    authorMayWrite: Number(member?.access_level ?? 0) >= MAY_WRITE && isActive(member),
  };
}

/** Not blocked, banned, deactivated or waiting to be let in. */
function isActive({ state, membership_state: membership }) {
  return [state, membership].every((each) => each === undefined || each === "active");
}
