import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Job, Variables } from "./support/ci-job.ts";
import { api, job, Moved, PLAYED, project, scriptOf, SPOKEN } from "./support/ci-job.ts";
import type { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const FIX = scriptOf();
const IDLE = JSON.stringify({
  repeat: true,
  turns: [{ say: "Not yet.", usd: 0.5, tokens: { input: 1, output: 1 } }],
});

const ISSUE = {
  number: 7,
  title: "Write done.txt",
  body: "Write the file done.txt; $(touch pwned) `touch pwned` ${{ pwned }}",
  labels: [{ name: "loop" }],
  user: { login: "octo" },
};

const MAY_WRITE = { permission: "write", role_name: "maintain" };
const MAY_READ = { permission: "read", role_name: "triage" };

/** GitHub's answers about the author of the issue; null: nobody of that name has any rights. */
async function github(rights: object | null): Promise<Variables> {
  const answers = rights === null ? {} : { "/repos/o/r/collaborators/octo/permission": rights };
  const { url } = await api(answers);
  return { GITHUB_API_URL: url, GITHUB_REPOSITORY: "o/r", GITHUB_TOKEN: "t" };
}

describe("a spec in a CI job", () => {
  test("from a file: completed, with outputs and a summary", async () => {
    const sandbox = project(FIX);
    sandbox.write({ "spec.md": "Write the file done.txt" });
    const ran = await job(sandbox, { ...PLAYED, LOOP_SPEC_FILE: "spec.md" });

    expect(ran).toMatchObject({ code: 0, output: "code=0\noutcome=completed\n" });
    expect(ran.summary).toMatch(/^\*\*Completed and verified\.\*\*\n\n# Completed\n/);
    expect(sandbox.only()).toMatchObject({ phase: "completed", spec: "Write the file done.txt" });
  });

  /** It changes nothing that its check looks at, so nothing shows that the work is there. */
  const UNSEEN = { ...SPOKEN, LOOP_CHECKS: "always=true" };

  variant("finished, but weak: fails the job with 6, and says so", async () => {
    const ran = await job(project(FIX), UNSEEN);

    expect(ran).toMatchObject({ code: 6, output: "code=6\noutcome=weak\n" });
    expect(ran.out).toContain("Outcome: weak (6). Finished, but weak or unverified;");
    expect(ran.summary).toMatch(
      /^\*\*Finished, but weak or unverified; .*\n\n# Completed, some of it on weak evidence\n/,
    );
    expect(ran.summary).toContain("- Confidence: weak: ");
  });

  variant("finished, but weak: passes where that is accepted, or its outcome allowed", async () => {
    const accepted = await job(project(FIX), { ...UNSEEN, LOOP_ACCEPT: "weak" });
    const allowed = await job(project(FIX), { ...UNSEEN, LOOP_ALLOW: "weak" });

    expect(accepted).toMatchObject({ code: 0, output: "code=0\noutcome=completed\n" });
    expect(accepted.summary).toMatch(/^\*\*Finished; weak evidence is accepted here\.\*\*\n/);
    expect(allowed).toMatchObject({ code: 0, output: "code=6\noutcome=weak\n" });
  });

  test.each(["LOOP_PROOF", "LOOP_ACCEPT"])(
    "%s is handed to the program, which knows its words",
    async (name) => {
      const sandbox = project(FIX);
      const ran = await job(sandbox, { ...SPOKEN, [name]: "sideways" });

      expect(ran).toMatchObject({ code: 1, output: "code=1\noutcome=error\n" });
      expect(ran.out).toContain(`--${name.slice("LOOP_".length).toLowerCase()}`);
      expect(sandbox.status()).toEqual([]);
    },
  );

  variant("a pause has the code of its reason, and fails the job unless it is allowed", async () => {
    const env = { ...SPOKEN, LOOP_BUDGET: "0.5" };
    const ran = await job(project(IDLE), env);
    const allowed = await job(project(IDLE), { ...env, LOOP_ALLOW: "iterations, budget" });

    expect(ran).toMatchObject({ code: 2, output: "code=2\noutcome=budget\n" });
    expect(ran.summary).toContain("# Paused: budget");
    expect(allowed).toMatchObject({ code: 0, output: "code=2\noutcome=budget\n" });
  });

  variant("keeps a budget from a variable within its bounds", async () => {
    const ran = await job(project(FIX), { ...SPOKEN, LOOP_BUDGET: "500" });
    expect(ran.out).toContain("| Budget: $100\n");
  });

  test("too vague a spec without a check is not run", async () => {
    const ran = await job(project(FIX), { ...PLAYED, LOOP_CHECKS: "", LOOP_SPEC: "make it better" });

    expect(ran).toMatchObject({ code: 5, output: "code=5\noutcome=vague\n" });
  });

  test("an error of the job's own is said, and nothing is run", async () => {
    const sandbox = project(FIX);
    const ran = await job(sandbox, { ...PLAYED, LOOP_SPEC_FILE: "missing.md" });

    expect(ran).toMatchObject({ code: 1, output: "code=1\noutcome=error\n" });
    expect(ran.out).toContain("Not run: ");
    expect(sandbox.status()).toEqual([]);
  });
});

describe("an issue on GitHub", () => {
  function event(sandbox: Sandbox, issue: unknown): string {
    const path = join(sandbox.home, "event.json");
    writeFileSync(path, JSON.stringify({ issue }));
    return path;
  }

  async function labelled(
    sandbox: Sandbox,
    rights: object | null,
    env: Variables = {},
    part: object = {},
  ): Promise<Job> {
    return job(sandbox, {
      ...PLAYED,
      ...(await github(rights)),
      LOOP_ISSUE: "event",
      LOOP_LABEL: "loop",
      GITHUB_EVENT_PATH: event(sandbox, { ...ISSUE, ...part }),
      ...env,
    });
  }

  variant("with the label, by somebody who may write: its words are run as they are, as data", async () => {
    const sandbox = project(FIX);
    const ran = await labelled(sandbox, MAY_WRITE);

    expect(ran.code).toBe(0);
    expect(sandbox.only().spec).toBe(`${ISSUE.title}\n\n${ISSUE.body}`);
    expect(() => sandbox.read("pwned")).toThrow(/ENOENT/);
  });

  test.each([
    ["without the label", MAY_WRITE, { labels: [{ name: "bug" }] }],
    ["by a stranger", null, {}],
    ["by a member who may only read", MAY_READ, { author_association: "MEMBER" }],
    ["without a word", MAY_WRITE, { title: "", body: null }],
    ["by an account that was deleted", MAY_WRITE, { user: null }],
  ])("%s: nothing is run", async (_, rights, part) => {
    const sandbox = project(FIX);
    const ran = await labelled(sandbox, rights, {}, part);

    expect(ran).toMatchObject({ code: 1, output: "code=78\noutcome=refused\n" });
    expect(sandbox.status()).toEqual([]);
  });

  variant("by a stranger who is named", async () => {
    expect(await labelled(project(FIX), null, { LOOP_AUTHORS: "mona, octo" })).toMatchObject({ code: 0 });
  });

  test("without a label to carry: nothing is run", async () => {
    const sandbox = project(FIX);

    expect(await labelled(sandbox, MAY_WRITE, { LOOP_LABEL: "" })).toMatchObject({ code: 1 });
    expect(sandbox.status()).toEqual([]);
  });

  test("that nobody asked for is not run, although the event has one", async () => {
    const sandbox = project(FIX);
    const ran = await labelled(sandbox, MAY_WRITE, { LOOP_ISSUE: "" });

    expect(ran).toMatchObject({ code: 1, output: "code=1\noutcome=error\n" });
    expect(ran.out).toContain("no spec, spec file or issue is given");
    expect(sandbox.status()).toEqual([]);
  });

  test("that was moved to another project is not run, and the token is not sent there", async () => {
    const sandbox = project(FIX);
    const { url, asked } = await api({
      "/repos/o/r/issues/7": new Moved("/repos/else/where/issues/1"),
      "/repos/else/where/issues/1": ISSUE,
      "/repos/o/r/collaborators/octo/permission": MAY_WRITE,
    });
    const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: "o/r", GITHUB_TOKEN: "t" };
    const ran = await job(sandbox, { ...PLAYED, ...env, LOOP_ISSUE: "7", LOOP_LABEL: "loop" });

    expect(ran).toMatchObject({ code: 1, output: "code=1\noutcome=error\n" });
    expect(asked).toEqual(["/repos/o/r/issues/7 Bearer t"]);
    expect(sandbox.status()).toEqual([]);
  });

  variant("by its number, from the API; the token stays with the script", async () => {
    const sandbox = project(scriptOf("env > seen.txt"));
    const { url, asked } = await api({
      "/repos/o/r/issues/7": ISSUE,
      "/repos/o/r/collaborators/octo/permission": MAY_WRITE,
    });
    const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: "o/r", GITHUB_TOKEN: "secret-of-the-job" };

    expect(await job(sandbox, { ...PLAYED, ...env, LOOP_ISSUE: "7", LOOP_LABEL: "loop" })).toMatchObject({
      code: 0,
    });
    expect(asked).toEqual([
      "/repos/o/r/issues/7 Bearer secret-of-the-job",
      "/repos/o/r/collaborators/octo/permission Bearer secret-of-the-job",
    ]);
    expect(sandbox.read("seen.txt")).not.toContain("secret-of-the-job");
  });
});

describe("an issue on GitLab", () => {
  const issue = {
    title: "Write done.txt",
    description: "Write the file done.txt",
    labels: ["loop"],
    author: { id: 5, username: "ada" },
  };

  async function gitlabJob(
    member: object | null,
  ): Promise<{ ran: Job; sandbox: Sandbox; asked: readonly string[] }> {
    const sandbox = project(FIX);
    const { url, asked } = await api({
      "/projects/9/issues/3": issue,
      ...(member === null ? {} : { "/projects/9/members/all/5": member }),
    });
    const env = {
      GITLAB_CI: "true",
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "9",
      CI_JOB_TOKEN: "j",
      LOOP_ISSUE: "3",
      LOOP_LABEL: "loop",
    };
    return { ran: await job(sandbox, { ...PLAYED, ...env }), sandbox, asked };
  }

  variant("by a Developer is run, and leaves a report", async () => {
    const { ran, sandbox, asked } = await gitlabJob({ access_level: 30, state: "active" });

    expect(ran.code).toBe(0);
    expect(sandbox.read("loop.env")).toBe("LOOP_CODE=0\nLOOP_OUTCOME=completed\n");
    expect(asked).toEqual(["/projects/9/issues/3 j", "/projects/9/members/all/5 j"]);
  });

  test.each([
    ["a Reporter", { access_level: 20, state: "active" }],
    ["a stranger", null],
    ["a Developer who is blocked", { access_level: 30, state: "blocked" }],
    ["a Developer who is banned", { access_level: 30, state: "banned" }],
    ["a Developer who waits to be let in", { access_level: 30, membership_state: "awaiting" }],
  ])("by %s is not", async (_, member) => {
    const { ran, sandbox } = await gitlabJob(member);

    expect(ran.code).toBe(1);
    expect(sandbox.status()).toEqual([]);
  });
});

describe("the action", () => {
  const text = readFileSync("action.yml", "utf8");
  const inputs = [...text.slice(0, text.indexOf("outputs:")).matchAll(/^ {2}([a-z-]+):$/gm)].map(
    (match) => match[1],
  );

  test("hands every input to the script as a variable, and puts none into a command", () => {
    expect(inputs.length).toBeGreaterThan(15);
    for (const input of inputs) expect(text).toContain(`\${{ inputs.${input} }}`);
    expect(text).toContain("GITHUB_TOKEN: ${{ inputs.issue != '' && github.token || '' }}");
    const commands = [...text.matchAll(/^ +run: (.*)$/gm)].map((match) => match[1]);
    expect(commands).toEqual(['exec node "$GITHUB_ACTION_PATH/ci/run.mjs"']);
  });

  test("and the template of GitLab name only variables that the script reads", () => {
    const script = readFileSync("ci/run.mjs", "utf8");
    const template = readFileSync("ci/gitlab/loop.gitlab-ci.yml", "utf8");
    const named = new Set(
      [...`${text}${template}`.matchAll(/^ +(LOOP_[A-Z_]+):/gm)].map((match) => match[1] ?? ""),
    );
    // These the program itself reads.
    for (const name of ["LOOP_PACKAGE", "LOOP_BUDGET", "LOOP_MAX_ITERATIONS"]) named.delete(name);
    for (const name of named) expect(script).toContain(`env.${name}`);
  });
});
