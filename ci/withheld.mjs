// What a job's environment holds that is not for the agent, nor for anything else that a run starts. What says where it
// runs (CI, GITHUB_REPOSITORY, …) stays, and so does what the user gives the agent by a name of its own.

/** Files by which a job sets variables, PATH and results for what comes after: who writes there speaks for the job. */
export const RUNNER_FILES = [
  "GITHUB_ENV",
  "GITHUB_PATH",
  "GITHUB_OUTPUT",
  "GITHUB_STATE",
  "GITHUB_STEP_SUMMARY",
  "GITHUB_ARTIFACTS",
  "GITLAB_ENV",
];

const WITHHELD = new Set([
  ...RUNNER_FILES,
  // With these the script reads the issue.
  "GITHUB_TOKEN",
  "LOOP_GITLAB_TOKEN",
  // The rights of a job of GitLab, under all the names that it gives them; the address holds them, too.
  "CI_JOB_TOKEN",
  "CI_REPOSITORY_URL",
  "CI_REGISTRY_PASSWORD",
  "CI_DEPLOY_PASSWORD",
  "CI_DEPENDENCY_PROXY_PASSWORD",
]);

const WITHHELD_FAMILIES = [
  // The services of GitHub's runner (artifacts, caches, identity): ACTIONS_RUNTIME_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL, …
  /^ACTIONS_/,
  // A job of GitLab shows who it is: CI_JOB_JWT, CI_JOB_JWT_V2.
  /^CI_JOB_JWT/,
];

/** @param {NodeJS.ProcessEnv} env */
export function withoutWithheld(env) {
  const isWithheld = ([name, value]) =>
    WITHHELD.has(name) ||
    WITHHELD_FAMILIES.some((family) => family.test(name)) ||
    isIssuedBy(env.CI_SERVER_URL, value ?? "");
  return Object.fromEntries(Object.entries(env).filter((entry) => !isWithheld(entry)));
}

/** An ID token of GitLab has the name that the job chose, but says by whom it was issued. */
function isIssuedBy(server, value) {
  const [, claims] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(value) ?? [];
  if (!server || claims === undefined) return false;
  try {
    return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")).iss === server;
  } catch {
    return false;
  }
}
