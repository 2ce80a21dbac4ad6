import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { packedFiles, project, scriptOf, SPOKEN, startJob } from "./support/ci-job.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const TEMPLATE = readFileSync("ci/gitlab/loop.gitlab-ci.yml", "utf8");

/** The lines of a list in the template. */
function linesOf(name: string): readonly string[] {
  const [list] = new RegExp(`^  ${name}:\\n((?:    - .*\\n)+)`, "m").exec(TEMPLATE)?.slice(1) ?? [];
  return (list ?? "").split("\n").flatMap((line) => (line === "" ? [] : [line.slice("    - ".length)]));
}

/** A script, and all that it imports. */
function withImports(path: string): readonly string[] {
  const imported = [...readFileSync(path, "utf8").matchAll(/ from "(\.[^"]+)"/g)].map((match) =>
    join(dirname(path), match[1] ?? ""),
  );
  return [path, ...imported.flatMap(withImports)];
}

test("the package holds every file that the template and the action name", () => {
  const packed = packedFiles();
  const action = readFileSync("action.yml", "utf8");
  const named = [
    ...TEMPLATE.matchAll(/\/loopwright\/([\w./-]+)/g),
    ...action.matchAll(/\$GITHUB_ACTION_PATH\/([\w./-]+)/g),
    ...readFileSync("pull-request/action.yml", "utf8").matchAll(/\$GITHUB_ACTION_PATH\/\.\.\/([\w./-]+)/g),
  ].flatMap((match) => match.slice(1));

  expect(named).toEqual(["ci/run.mjs", "ci/publish.mjs", "ci/run.mjs", "ci/publish.mjs"]);
  expect(packed).toEqual(expect.arrayContaining(named.flatMap(withImports)));
  expect(packed).toContain("dist/cli.js");
  expect(packed.filter((path) => !/^(ci|dist)\//.test(path))).toEqual([
    "LICENSE",
    "README.md",
    "package.json",
  ]);
});

variant("the lines of the template install the package and run a spec with it", async () => {
  const sandbox = project(scriptOf());
  const packed = spawnSync(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", sandbox.home],
    {
      encoding: "utf8",
    },
  );
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  const npm = {
    prefix: join(sandbox.home, "npm"),
    offline: "true",
    audit: "false",
    update_notifier: "false",
  };
  const lines = [...linesOf("before_script"), ...linesOf("script")];
  const { ended } = startJob(
    sandbox,
    {
      ...SPOKEN,
      ...Object.fromEntries(Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value])),
      GITLAB_CI: "true",
      LOOP_PACKAGE: join(sandbox.home, filename),
    },
    ["sh", "-e", "-c", lines.join("\n")],
  );
  const ran = await ended;

  expect(lines).toHaveLength(3);
  expect(ran.out + ran.err).toContain("loop: Outcome: completed (0).");
  expect(ran.code).toBe(0);
  expect(sandbox.read("loop.env")).toBe("LOOP_CODE=0\nLOOP_OUTCOME=completed\n");
});

variant("the action runs from what a checkout of the repository holds", async () => {
  const clone = new Sandbox().root;
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const path of stdout.split("\0"))
    if (path !== "" && existsSync(path)) cpSync(path, join(clone, path), { verbatimSymlinks: true });
  // What `npm install` would bring, and it is not asked to: the list of packages is older than they are.
  symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
  utimesSync(join(clone, "package-lock.json"), 0, 0);
  const sandbox = project(scriptOf());
  const ran = await startJob(sandbox, SPOKEN, [process.execPath, join(clone, "ci/run.mjs")]).ended;

  expect(existsSync(join(clone, "dist/cli.js"))).toBe(true);
  expect(ran).toMatchObject({ code: 0, output: "code=0\noutcome=completed\n" });
});

test("no later job is given variables that the agent could have written", () => {
  expect(TEMPLATE).not.toMatch(/^ +dotenv:/m);
});

test("the example leaves no token in the agent's clone, and its job asks for no right to write", () => {
  const page = readFileSync("docs/ci.md", "utf8");
  const [example] = /```yaml\n([\s\S]*?)\n {2}pull-request:/.exec(page)?.slice(1) ?? [];

  expect(example).toMatch(/uses: actions\/checkout@\S+\n +with: \{ persist-credentials: false \}/);
  expect(example?.match(/actions\/checkout/g)).toHaveLength(1);
  expect(example).toMatch(/^permissions: \{ contents: read, issues: read \}$/m);
});
