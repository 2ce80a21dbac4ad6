import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { commandOnPath } from "../src/engine/run/run-agent.ts";
import { outsidePath } from "../src/system/git/run-git.ts";
import { Sandbox } from "./support/sandbox.ts";
import { oneOf } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

/** A project that brings its own programs along, each of which leaves a mark. */
function clone(...names: readonly string[]): { readonly sandbox: Sandbox; readonly canary: string } {
  const sandbox = new Sandbox({ "a.txt": "a\n" });
  sandbox.commitAll();
  const canary = join(sandbox.home, "canary");
  sandbox.write(
    Object.fromEntries(names.map((name) => [`bin/${name}`, `#!/bin/sh\ntouch ${canary}\nexit 1\n`])),
  );
  return { sandbox, canary };
}

test.each(
  oneOf([
    ["a relative entry", () => "bin"],
    ["the empty entry, which is the folder itself", () => ""],
    ["an entry inside the project", ({ root }: Sandbox) => join(root, "bin")],
  ]),
)("git of a clone is not run by way of %s of PATH", (_what, entry) => {
  const { sandbox, canary } = clone("git");
  writeFileSync(join(sandbox.root, "git"), `#!/bin/sh\ntouch ${canary}\n`);
  chmodSync(join(sandbox.root, "git"), 0o755);
  const env = { PATH: [entry(sandbox), sandbox.env["PATH"]].join(delimiter) };
  const ran = sandbox.spawnLoopWith({ env }, "start", "Fix it", "-c", "ok=false", "--session", "s1");
  expect(ran.code).toBe(0);
  sandbox.spawnLoopWith({ env }, "status");
  expect(existsSync(canary)).toBe(false);
});

variant(
  "an agent of a clone is not run by way of a relative entry of PATH, and its checks see PATH as it is",
  () => {
    const { sandbox, canary } = clone("codex", "my-check");
    const tools = join(sandbox.home, "tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "codex"), `#!/bin/sh\ntouch ${sandbox.home}/honest\n`, { mode: 0o755 });
    const env = { PATH: ["bin", tools, sandbox.env["PATH"]].join(delimiter) };
    sandbox.write({ "bin/my-check": "#!/bin/sh\nexit 0\n" });
    expect(
      sandbox.spawnLoopWith({ env }, "start", "Fix it", "-c", "ok=my-check", "--session", "s1").code,
    ).toBe(0);
    expect(sandbox.spawnLoopWith({ env }, "check").code).toBe(0);
    sandbox.loop("cancel");
    sandbox.spawnLoopWith(
      { env },
      "run",
      "Fix it",
      "-c",
      "ok=my-check",
      "--agent",
      "codex",
      "--iterations",
      "1",
    );
    expect(existsSync(join(sandbox.home, "honest"))).toBe(true);
    expect(existsSync(canary)).toBe(false);
    expect(commandOnPath({ kind: "argv", argv: ["codex"] }, { PATH: "bin" })).toEqual({
      kind: "argv",
      argv: ["/codex"],
    });
  },
);

test("folders beside a project are not taken for folders in it", () => {
  expect(outsidePath("/p/a/bin:/p/a..b:/p/ab:/usr/bin:/p", "/p/a")).toBe("/p/a..b:/p/ab:/usr/bin:/p");
  expect(outsidePath("/p/a/..b/bin", "/p/a")).toBe("");
});
