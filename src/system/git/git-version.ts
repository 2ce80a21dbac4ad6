import { gitEnvironment, spawnGit } from "./spawn-git.ts";

/** Null: no git is installed. Asked outside any repository. */
export async function gitVersion(): Promise<string | null> {
  const outcome = await spawnGit({
    args: ["--version"],
    cwd: "/",
    env: gitEnvironment({}),
    signal: AbortSignal.timeout(10_000),
  });
  return outcome.ok
    ? outcome.stdout
        .toString("utf8")
        .trim()
        .replace(/^git version /, "")
    : null;
}
