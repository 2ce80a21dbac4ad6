import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { readProcessTable } from "../src/system/process/run-processes.ts";
import {
  job,
  packageFolder,
  PLAYED,
  project,
  runnerFiles,
  scriptOf,
  SPOKEN,
  startJob,
  untilThere,
} from "./support/ci-job.ts";
import { variant } from "./support/variant.ts";

/** Not run, and so soon over. */
const VAGUE = { ...PLAYED, LOOP_CHECKS: "", LOOP_SPEC: "make it better" };

const HANGING = JSON.stringify({
  turns: [{ do: [{ write: "started.txt", text: "" }, { hang: true }] }],
});

function idToken(issuer: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [part({ alg: "RS256" }), part({ iss: issuer, sub: "project_path:a/b" }), "c2lnbmF0dXJl"].join(".");
}

/** The process that this one has started, as soon as there is one. */
async function childOf(pid: number | undefined): Promise<number> {
  for (;;) {
    const child = (await readProcessTable({ runId: "none" })).find(({ parent }) => parent === pid);
    if (child !== undefined) return child.pid;
    await sleep(2);
  }
}

describe("what the agent of a CI job gets", () => {
  const WITHHELD = [
    "GITHUB_TOKEN",
    "GITHUB_ARTIFACTS",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_RUNTIME_URL",
    "ACTIONS_CACHE_URL",
    "ACTIONS_RESULTS_URL",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "GITLAB_ENV",
    "LOOP_GITLAB_TOKEN",
    "CI_JOB_TOKEN",
    "CI_REPOSITORY_URL",
    "CI_REGISTRY_PASSWORD",
    "CI_DEPLOY_PASSWORD",
    "CI_DEPENDENCY_PROXY_PASSWORD",
    "CI_JOB_JWT",
    "CI_JOB_JWT_V2",
  ];

  test("is neither the job's tokens nor the runner's files, but that it is CI, and what is meant for it", async () => {
    const sandbox = project(scriptOf("env > seen.txt"));
    const kept = {
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: "o/r",
      CI_SERVER_URL: "https://gitlab.example",
      ANTHROPIC_API_KEY: "key-of-the-agent",
      GH_TOKEN: "given-by-name",
      FOREIGN_TOKEN: idToken("https://elsewhere.example"),
    };
    const ran = await job(sandbox, {
      ...SPOKEN,
      ...kept,
      ...Object.fromEntries(WITHHELD.map((name) => [name, join(sandbox.home, `of-the-job-${name}`)])),
      VAULT_TOKEN_OF_ANY_NAME: idToken("https://gitlab.example"),
    });
    const seen = new Map(
      sandbox
        .read("seen.txt")
        .split("\n")
        .map((line) => [line.split("=", 1)[0] ?? "", line.slice(line.indexOf("=") + 1)]),
    );

    expect(ran.code).toBe(0);
    expect(Object.fromEntries(Object.keys(kept).map((name) => [name, seen.get(name)]))).toEqual(kept);
    const files = Object.keys(runnerFiles(sandbox));
    for (const name of [...WITHHELD, ...files, "VAULT_TOKEN_OF_ANY_NAME"])
      expect([...seen.keys()]).not.toContain(name);
    expect(sandbox.read("seen.txt")).not.toContain("of-the-job-");
  });

  variant("what it writes to the runner's files, wherever it found them, is undone", async () => {
    const sandbox = project(
      scriptOf(
        'for f in "$RUNNER_TEMP"/_runner_file_commands/s*; do echo BASH_ENV=/tmp/evil >> "$f"; done',
        // A forged output, and an opening that would swallow the true one.
        'printf "outcome=completed\\njunk<<outcome=budget\\n" > "$RUNNER_TEMP/_runner_file_commands/set_output_1"',
        // As it was, for now.
        'cd "$RUNNER_TEMP/_runner_file_commands" && mv add_path_1 ../later && ln -s ../later add_path_1',
        'echo "export BASH_ENV=/tmp/evil" > "$RUNNER_TEMP/gitlab_runner_env"',
      ),
    );
    const folder = join(sandbox.home, "_runner_file_commands");
    const gitlabEnv = join(sandbox.home, "gitlab_runner_env");
    const ran = await job(sandbox, { ...SPOKEN, GITLAB_ENV: gitlabEnv });
    const held = (name: string): string => readFileSync(join(folder, name), "utf8");

    expect(ran).toMatchObject({ code: 0, output: "code=0\noutcome=completed\n" });
    expect(ran.summary).toMatch(/^\*\*Completed and verified\.\*\*\n\n# Completed\n/);
    expect(["set_env_0", "set_env_1", "add_path_1", "save_state_1"].map(held)).toEqual(["", "", "", ""]);
    expect(lstatSync(join(folder, "add_path_1")).isFile()).toBe(true);
    expect(() => readFileSync(gitlabEnv)).toThrow(/ENOENT/);
    expect(ran.out).toMatch(/Undone: something wrote to the runner's own files \(.*set_env_0/);
  });

  variant("what the job itself had written there before stays, and nothing is said", async () => {
    const sandbox = project(scriptOf());
    const before = join(sandbox.home, "gitlab_runner_env");
    writeFileSync(before, "A=1\n");
    const ran = await job(sandbox, { ...SPOKEN, GITLAB_ENV: before });

    expect(ran.code).toBe(0);
    expect(readFileSync(before, "utf8")).toBe("A=1\n");
    expect(ran.out).not.toContain("Undone");
  });
});

describe("the token in the clone", () => {
  const TOKEN = "glcbt-64_0123456789abcdef";

  variant("of GitLab is taken out before the agent starts", async () => {
    const sandbox = project(
      scriptOf(
        "git remote get-url origin > url.txt",
        `grep -rl ${TOKEN} .git ../project.tmp > found.txt; true`,
      ),
    );
    const url = `https://gitlab-ci-token:${TOKEN}@gitlab.example/a/b.git`;
    sandbox.git("remote", "add", "origin", url);
    const included = `${sandbox.root}.tmp/.gitlab-runner.ext.conf`;
    mkdirSync(`${sandbox.root}.tmp`);
    writeFileSync(included, `[url "${url}"]\n\tinsteadOf = https://gitlab.example/a/b.git\n`);
    sandbox.git("config", "include.path", included);
    sandbox.write({ ".git/modules/deep/er/config": `[remote "origin"]\n\turl = ${url}\n` });
    sandbox.write({ ".git/modules/deep/er/refs/config/x": "" });
    const ran = await job(sandbox, { ...SPOKEN, GITLAB_CI: "true", CI_JOB_TOKEN: TOKEN });

    expect(ran.code).toBe(0);
    expect(sandbox.read("url.txt")).toBe("https://gitlab.example/a/b.git\n");
    expect(sandbox.read("found.txt")).toBe("");
    expect(ran.out).not.toContain("cannot be changed");
  });

  variant("of GitHub, which later steps may need, is warned of", async () => {
    const careless = project(scriptOf());
    careless.git("config", "http.https://github.example/.extraheader", "AUTHORIZATION: basic abc");
    const later = project(scriptOf());
    later.git("config", "include.path", join(later.home, "git-credentials-1234.config"));

    for (const sandbox of [careless, later])
      expect((await job(sandbox, VAGUE)).out).toContain("set persist-credentials: false");
    expect((await job(project(scriptOf()), VAGUE)).out).not.toContain("persist-credentials");
  });
});

describe("the log of a job on GitHub", () => {
  const GITHUB = { GITHUB_ACTIONS: "true" };

  /** The word between which and which all was printed; null where something was printed outside. */
  function wordAround(out: string): string | null {
    return /^::stop-commands::([0-9a-f]{64})\n(?:.*\n)+::\1::\n$/.exec(out)?.[1] ?? null;
  }

  variant(
    "is obeyed by the runner neither before nor while the run prints, in one stream, and again after it",
    async () => {
      // A complaint of the program is there, too: on standard error, were it not led away.
      const env = {
        ...SPOKEN,
        ...GITHUB,
        LOOP_BUDGET: "500",
        LOOP_CHECKS: "##[add-mask]done=test -f done.txt",
      };
      const [first, second] = [await job(project(scriptOf()), env), await job(project(scriptOf()), env)];

      expect(first).toMatchObject({ code: 0, err: "" });
      expect(first.out).toContain("##[add-mask]done");
      expect(first.out).toContain("loop: ");
      expect(wordAround(first.out)).toMatch(/./);
      expect(wordAround(second.out)).toMatch(/./);
      expect(wordAround(second.out)).not.toBe(wordAround(first.out));
    },
  );

  test("also where nothing could be run", async () => {
    const ran = await job(project(scriptOf()), {
      ...PLAYED,
      ...GITHUB,
      LOOP_SPEC_FILE: "missing\n::error::x.md",
    });

    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out).toContain("\n::error::x.md");
    expect(wordAround(ran.out)).toMatch(/./);
  });

  variant("also where the run was killed, which is an error", async () => {
    const sandbox = project(HANGING);
    const { process: script, ended } = startJob(sandbox, { ...SPOKEN, ...GITHUB });
    await untilThere(join(sandbox.root, "started.txt"));
    process.kill(await childOf(script.pid), "SIGKILL");
    const ran = await ended;

    expect(ran).toMatchObject({ code: 137, output: "code=137\noutcome=error\n" });
    expect(wordAround(ran.out)).toMatch(/./);
  });

  test("knows no such words elsewhere", async () => {
    const ran = await job(project(scriptOf()), { ...VAGUE, GITLAB_CI: "true" });

    expect(ran.out).not.toContain("::");
  });
});

describe("what a job leaves", () => {
  variant("goes into no file that the agent put in its place", async () => {
    const sandbox = project(scriptOf("echo precious > precious.txt; ln -s precious.txt loop.env"));
    const ran = await job(sandbox, { ...SPOKEN, GITLAB_CI: "true" });

    expect(ran.code).toBe(0);
    expect(sandbox.read("precious.txt")).toBe("precious\n");
    expect(sandbox.read("loop.env")).toBe("LOOP_CODE=0\nLOOP_OUTCOME=completed\n");
  });

  variant(
    "after it was cancelled: the runner signals the action's one process, and the loop is paused",
    async () => {
      const sandbox = project(HANGING);
      const [command] = /^ +run: (.*)$/m.exec(readFileSync("action.yml", "utf8"))?.slice(1) ?? [];
      const script = join(sandbox.home, "step.sh");
      writeFileSync(script, `${command}\n`);
      const shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script] as const;
      const { process: step, ended } = startJob(
        sandbox,
        { ...SPOKEN, GITHUB_ACTION_PATH: packageFolder() },
        shell,
      );
      await untilThere(join(sandbox.root, "started.txt"));
      step.kill("SIGINT");

      expect(await ended).toMatchObject({ code: 130, output: "code=130\noutcome=interrupted\n" });
      expect(sandbox.only()).toMatchObject({ phase: "paused", reason: "user" });
    },
  );

  test("after it was cancelled before the program answered signals: that is an interrupt, too", async () => {
    const { process: script, ended } = startJob(project(scriptOf()), SPOKEN);
    await childOf(script.pid);
    script.kill("SIGTERM");

    expect(await ended).toMatchObject({ code: 143, output: "code=143\noutcome=interrupted\n" });
  });
});
