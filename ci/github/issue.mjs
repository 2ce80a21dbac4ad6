import { readFileSync } from "node:fs";
import { fetchJson } from "../fetch-json.mjs";

const MAY_WRITE = new Set(["admin", "maintain", "write"]);

/** The issue of the event that started the job, otherwise the one with the given number. */
export async function githubIssue(env, number) {
  const repository = `${env.GITHUB_API_URL ?? "https://api.github.com"}/repos/${env.GITHUB_REPOSITORY}`;
  const ask = (path) =>
    fetchJson(`${repository}${path}`, { authorization: `Bearer ${env.GITHUB_TOKEN ?? ""}` });
  const event = env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")) : {};
  // As it was when the label was set: a later edit by its author doesn't count.
  const isOfEvent = event.issue !== undefined && (number === "" || String(event.issue.number) === number);
  if (!isOfEvent && !/^\d{1,10}$/.test(number))
    throw new Error("the event has no issue, and no issue number is given");
  const { title, body, labels, user } = isOfEvent ? event.issue : await ask(`/issues/${number}`);
  // A deleted account has no name and no permissions.
  const author = String(user?.login ?? "");
  return {
    title: String(title),
    body: body === null || body === undefined ? null : String(body),
    labels: labels.map((label) => (typeof label === "string" ? label : String(label.name))),
    author,
    authorMayWrite: await mayWrite(ask, author),
  };
}

/** An association (member, collaborator) may be read-only, so this asks for the permissions themselves. */
async function mayWrite(ask, login) {
  try {
    const found = await ask(`/collaborators/${encodeURIComponent(login)}/permission`);
    return MAY_WRITE.has(found.role_name) || MAY_WRITE.has(found.permission);
  } catch {
    return false;
  }
}
