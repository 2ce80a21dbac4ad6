import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import type { Job, Variables } from "./support/ci-job.ts";
import { api, job, packageFolder, PLAYED, project, scriptOf, startJob } from "./support/ci-job.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const GUIDE = readFileSync("docs/ci.md", "utf8");
const [GITHUB = "", GITLAB = ""] = [...GUIDE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml);

/** The files that the action uploads, where downloading the artifact puts them. */
function handOver(from: Sandbox, to: Sandbox, folder: string): void {
  const [, list = ""] = /path: \|\n((?: +\S+\n?)+)/.exec(readFileSync("action.yml", "utf8")) ?? [];
  const isUploaded = picomatch(
    list.split("\n").flatMap((line) => line.trim() || []),
    { dot: true },
  );
  const found = readdirSync(join(from.root, ".loop"), { recursive: true, encoding: "utf8" });
  for (const path of found.filter((each) => isUploaded(join(".loop", each)))) {
    mkdirSync(dirname(join(to.root, folder, path)), { recursive: true });
    cpSync(join(from.root, ".loop", path), join(to.root, folder, path));
  }
}

/** A repository on a host, and a machine with a shallow clone of it. */
function hosted(script: string): { origin: string; machine: Sandbox; another: () => Sandbox } {
  const machine = project(script);
  machine.git("branch", "-M", "main");
  const origin = join(machine.home, "origin.git");
  machine.git("clone", "--quiet", "--bare", ".", origin);
  machine.git("remote", "add", "origin", origin);
  const another = (): Sandbox => {
    const clone = new Sandbox();
    clone.git("clone", "--quiet", "--depth", "1", `file://${origin}`, ".");
    return clone;
  };
  return { origin, machine, another };
}

/** The second job, with what its YAML and the action make of its inputs. */
async function publish(sandbox: Sandbox, env: Variables): Promise<Job> {
  return startJob(sandbox, env, [process.execPath, join(packageFolder(), "ci/publish.mjs")]).ended;
}

async function onGithub(script: string): Promise<{
  ran: Job;
  published: Job;
  sent: readonly unknown[];
  show: (path: string) => string;
  asked: readonly string[];
}> {
  const { origin, machine, another } = hosted(script);
  const event = join(machine.home, "event.json");
  const issue = {
    number: 7,
    title: "Write done.txt",
    body: "",
    labels: [{ name: "loop" }],
    user: { login: "octo" },
  };
  writeFileSync(event, JSON.stringify({ issue }));
  const { url, asked, sent } = await api({
    "/repos/o/r/collaborators/octo/permission": { permission: "write" },
    "/repos/o/r/pulls": { html_url: "https://host/o/r/pull/8" },
  });
  const shared = {
    GITHUB_API_URL: url,
    GITHUB_SERVER_URL: "https://host",
    GITHUB_REPOSITORY: "o/r",
    GITHUB_RUN_ID: "42",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_REF_NAME: "main",
    GITHUB_EVENT_PATH: event,
    GITHUB_TOKEN: "t",
  };
  const ran = await job(machine, { ...PLAYED, ...shared, LOOP_ISSUE: "event", LOOP_LABEL: "loop" });
  const [, folder = ""] = /download-artifact@v4\n +with: \{ name: loop, path: (\S+) \}/.exec(GITHUB) ?? [];
  const [, work = ""] = /\/pull-request@TAG\n +with: \{ work: (\S+) \}/.exec(GITHUB) ?? [];
  const second = another();
  handOver(machine, second, folder);
  const published = await publish(second, { ...shared, LOOP_WORK: work });
  const show = (path: string): string => machine.git("--git-dir", origin, "show", `loop/42-1:${path}`);
  return { ran, published, sent: await Promise.all(sent), show, asked };
}

describe("from a CI job to a pull request", () => {
  test("the documented jobs leave a branch with the work, and its evidence as the pull request's text", async () => {
    const { ran, published, sent, show, asked } = await onGithub(scriptOf());

    expect(ran.code).toBe(0);
    expect(ran.out).toContain("The work is kept as .loop/work.patch and .loop/work.bundle.");
    expect(published.out).toBe("loop: Opened https://host/o/r/pull/8\n");
    expect(show("done.txt")).toBe("done\n");
    expect(sent).toEqual([
      {
        title: "Write done.txt",
        head: "loop/42-1",
        base: "main",
        body: expect.stringMatching(
          /^# Completed\n[\s\S]*\| done \| `test -f done\.txt` \|[\s\S]*\nCloses #7\. Made by \[this run\]\(https:\/\/host\/o\/r\/actions\/runs\/42\)/,
        ),
      },
    ]);
    expect(asked.at(-1)).toBe("/repos/o/r/pulls Bearer t");
  });

  variant("the agent's own commits stay, and its words call nobody and close nothing", async () => {
    const say = "Done, @octo: closes #1.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
    const script = JSON.parse(scriptOf("git commit -q --allow-empty -m 'My own words'")) as {
      turns: { say: string }[];
    };
    const turns = script.turns.map((turn) => ({ ...turn, say }));
    const { published, sent, show } = await onGithub(JSON.stringify({ turns }));

    expect(published.code).toBe(0);
    expect(show("done.txt")).toBe("done\n");
    const [{ body }] = sent as [{ body: string }];
    expect(body).toContain("octo");
    expect(body).not.toMatch(/@octo|closes #1/);
  });

  variant("a run that changes nothing is not published", async () => {
    const idle = JSON.stringify({ repeat: true, turns: [{ say: "Not yet." }] });
    const { ran, published, sent } = await onGithub(idle);

    expect(ran.out).toContain("Nothing was changed.");
    expect(published).toMatchObject({ code: 0, out: "loop: Nothing to publish: the run changed nothing.\n" });
    expect(sent).toEqual([]);
  });

  test("the work is kept beside the user's index and branch, which stay as they were", async () => {
    const { machine } = hosted(scriptOf());
    const before = machine.git("rev-parse", "HEAD", "main");
    await job(machine, { ...PLAYED, LOOP_SPEC: "Write the file done.txt" });

    expect(machine.git("rev-parse", "HEAD", "main")).toBe(before);
    expect(machine.git("status", "--porcelain", "-uall")).toBe("?? done.txt\n");
    machine.git("stash", "--quiet", "--include-untracked");
    machine.git("apply", ".loop/work.patch");
    expect(machine.read("done.txt")).toBe("done\n");
  });
});

describe("from a CI job to a merge request", () => {
  async function onGitlab(
    env: Variables,
  ): Promise<{ published: Job; sent: readonly unknown[]; origin: string }> {
    const { origin, machine, another } = hosted(scriptOf());
    const { url, sent } = await api({ "/projects/9/merge_requests": { web_url: "https://host/g/p/-/1" } });
    const shared = { GITLAB_CI: "true", CI_API_V4_URL: url, CI_PROJECT_ID: "9" };
    await job(machine, { ...PLAYED, ...shared, LOOP_SPEC: "Write the file done.txt", ...env });
    const second = another();
    handOver(machine, second, ".loop");
    cpSync(join(machine.root, "loop.env"), join(second.root, "loop.env"));
    const published = await publish(second, {
      ...shared,
      CI_PROJECT_URL: `file://${origin.replace(/\.git$/, "")}`,
      CI_PIPELINE_ID: "5",
      CI_PIPELINE_URL: "https://host/g/p/-/pipelines/5",
      CI_JOB_ID: "6",
      CI_COMMIT_BRANCH: "main",
      LOOP_GITLAB_TOKEN: "token",
      ...env,
    });
    return { published, sent: await Promise.all(sent), origin };
  }

  test("the template's second job pushes the branch and opens it", async () => {
    const { published, sent } = await onGitlab({});

    expect(GITLAB).toContain("extends: .loop-merge-request");
    expect(published.out).toBe("loop: Opened https://host/g/p/-/1\n");
    expect(sent).toMatchObject([
      { source_branch: "loop/5-6", target_branch: "main", title: "Write the file done.txt" },
    ]);
  });

  variant("what isn't completed isn't published, unless the job names its outcome", async () => {
    const weak = { LOOP_CHECKS: "always=true" };
    const refused = await onGitlab(weak);
    const wanted = await onGitlab({ ...weak, LOOP_PUBLISH: "weak" });

    expect(refused.published.code).toBe(1);
    expect(refused.published.out).toContain('Not published: the run\'s outcome is "weak"');
    expect(refused.sent).toEqual([]);
    expect(wanted.sent).toHaveLength(1);
  });

  variant("without a token of its own it says which one is missing", async () => {
    const { published } = await onGitlab({ LOOP_GITLAB_TOKEN: "" });
    expect(published.out).toContain("Not published: LOOP_GITLAB_TOKEN is missing");
  });
});
