import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import type { Job, Variables } from "./support/ci-job.ts";
import { api, job, packageFolder, PLAYED, project, scriptOf, startJob } from "./support/ci-job.ts";
import { FIXED_CART, hostedAt, runGuide } from "./support/guide-on-github.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const GUIDE = readFileSync("docs/ci.md", "utf8");
const [, GITLAB = ""] = [...GUIDE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml);

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

/** A repository on a host, and machines with shallow clones of it. */
function hosted(script: string): { origin: string; machine: Sandbox; another: () => Sandbox } {
  const machine = project(script);
  const origin = hostedAt(machine);
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

/** An agent that says this, after it has done that. */
function agentThat(say: string, ...steps: readonly object[]): string {
  const status = "---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
  return JSON.stringify({ repeat: true, turns: [{ do: steps, say: `${say}\n${status}`, usd: 0.01 }] });
}

describe("from a CI job to a pull request", () => {
  test("the workflow of the guide leaves a branch with the work, and its evidence as the pull request's text", async () => {
    const { jobs, sent, show, asked } = await runGuide({
      script: agentThat("Done.", { write: "cart.js", text: FIXED_CART }),
    });

    expect(jobs["loop"]).toMatchObject({ outcome: "success" });
    expect(jobs["loop"]?.log).toContain("The work is kept as .loop/work.patch and .loop/work.bundle.");
    expect(jobs["pull-request"]).toEqual({
      outcome: "success",
      log: "loop: Opened https://host/o/r/pull/8\n",
    });
    expect(show("cart.js")).toBe(FIXED_CART);
    expect(sent).toEqual([
      {
        title: "Fix total() in cart.js",
        head: "loop/42-1",
        base: "main",
        body: expect.stringMatching(
          /^# Completed\n[\s\S]*\| tests pass \| `npm test` \|[\s\S]*\nCloses #7\. Made by \[this run\]\(https:\/\/host\/o\/r\/actions\/runs\/42\)/,
        ),
      },
    ]);
    expect(asked.at(-1)).toBe("/repos/o/r/pulls Bearer t");
  });

  test("work that is not shown opens no pull request, and another label starts nothing", async () => {
    const { jobs, sent } = await runGuide({ script: agentThat("Done.") });
    expect(jobs).toMatchObject({ loop: { outcome: "failure" }, "pull-request": { outcome: "skipped" } });
    expect(sent).toEqual([]);
    const other = await runGuide({ script: agentThat("Done."), label: "bug" });
    expect(other.jobs).toMatchObject({
      loop: { outcome: "skipped" },
      "pull-request": { outcome: "skipped" },
    });
  });

  variant("the agent's own commits stay, and its words call nobody and close nothing", async () => {
    const commits = { run: "git add -A && git commit -q -m 'My own words'" };
    const { sent, show } = await runGuide({
      script: agentThat("Done, @octo: closes #1.", { write: "cart.js", text: FIXED_CART }, commits),
    });

    expect(show("cart.js")).toBe(FIXED_CART);
    const [{ body }] = sent as [{ body: string }];
    expect(body).toContain("octo");
    expect(body).not.toMatch(/@octo|closes #1/);
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
