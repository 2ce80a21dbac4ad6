import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const NO_FILE = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);

/**
 * The runner leaves the job's token in the settings of its clone, and writes them anew at the start of each job. It is
 * taken out here: the agent reads files, and what is still to be done in the job needs no rights on the remote.
 */
export function forgetCloneToken(env, say) {
  if (!env.CI_JOB_TOKEN) return;
  const credentials = `gitlab-ci-token:${env.CI_JOB_TOKEN}@`;
  for (const path of settingsOf(env.CI_PROJECT_DIR || process.cwd())) {
    try {
      const text = readFileSync(path, "utf8");
      if (text.includes(credentials)) writeFileSync(path, text.replaceAll(credentials, ""));
    } catch (error) {
      if (!NO_FILE.has(error.code))
        say(`The agent may find the job's token in ${path}, which cannot be changed (${error.code}).`);
    }
  }
}

/** The clone's own, its submodules', and the file beside it that later runners include there. */
function settingsOf(project) {
  const modules = join(project, ".git", "modules");
  return [
    join(project, ".git", "config"),
    ...filesBelow(modules).filter((path) => basename(path) === "config"),
    join(`${project}.tmp`, ".gitlab-runner.ext.conf"),
  ];
}

function filesBelow(folder) {
  try {
    return readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  } catch {
    return [];
  }
}
