import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DESCRIPTIONS } from "../src/agents/hosts/described/descriptions.ts";
import { MCP_SERVERS } from "../src/agents/hosts/described/install/mcp-servers.ts";
import type { Planned } from "../src/agents/hosts/install/installer.ts";
import { applyChange } from "../src/agents/hosts/install/settings-file.ts";
import { INSTALLERS } from "../src/agents/hosts/installers.ts";

/** `loop install HOST --mcp`, in a home of its own. */
function installationOf(id: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-mcp-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, dist] = [join(folder, "home"), join(folder, "dist")];
  for (const each of [home, dist]) mkdirSync(each);
  for (const each of ["hook.js", "bridge.js", "skill.md"]) cpSync(resolve("dist", each), join(dist, each));
  const installer = INSTALLERS.find((each) => each.id === id);
  if (installer === undefined) throw new Error(id);
  const place = { env: { HOME: home }, cwd: home };
  const program = { node: process.execPath, hook: join(dist, "hook.js") };
  const description = DESCRIPTIONS.find((each) => each.id === id)?.install;
  return {
    folder: join(home, description?.folder ?? ""),
    settings: join(home, description?.folder ?? "", MCP_SERVERS[id]?.file ?? ""),
    plan: (mcp: boolean): Planned => installer.planInstall(place, "user", program, { mcp }),
    planUninstall: (): Planned => installer.planUninstall(place, null),
    files: (): readonly (readonly [string, string])[] =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]),
  };
}

/** How many files that changed. */
function apply(planned: Planned): number {
  if (planned.type === "refused") throw new Error(planned.why);
  for (const change of planned.changes) expect(applyChange(change)).toBeNull();
  return planned.changes.length;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const OFFERED = INSTALLERS.filter(({ offersMcp }) => offersMcp).map(({ id }) => id);

test("the tools are offered where they were tried", () => {
  expect(OFFERED).toEqual(["codex", "gemini-cli", "qwen-code", "copilot", "opencode"]);
});

test.each(INSTALLERS.filter(({ offersMcp }) => !offersMcp).map(({ id }) => id))(
  "%s refuses the tools in a sentence that says what to do",
  (id) => {
    expect(installationOf(id).plan(true)).toMatchObject({
      type: "refused",
      why: expect.stringContaining("loop mcp") as string,
    });
  },
);

const JSON_FILES = [
  null,
  "{}\n",
  '{\n  "a": 1\n}\n',
  '{"mcpServers":{"mine":{"command":"x"}},"mcp":{"mine":{}}}',
];
const TOML_FILES = [null, "", "# mine\na = 1", "[mcp_servers.mine]\ncommand = 'x'\n\n\n"];

describe.each(OFFERED)("the tools in %s", (id) => {
  test.each((id === "codex" ? TOML_FILES : JSON_FILES).map((text) => ({ text })))(
    "stay when the hooks are installed again, and go with them, leaving $text byte for byte",
    ({ text }) => {
      const { settings, plan, planUninstall, files } = installationOf(id);
      if (text !== null) write(settings, text);
      const before = files();
      expect(apply(plan(true))).toBeGreaterThan(0);
      expect(readFileSync(settings, "utf8")).toMatch(/cli\.js",\s*"mcp"\s*\]/);
      expect(apply(plan(false))).toBe(0);
      expect(apply(planUninstall())).toBeGreaterThan(0);
      expect(files()).toEqual(before);
    },
  );

  test("don't take the place of another server with that name", () => {
    const { settings, plan, planUninstall, files } = installationOf(id);
    const other = { mcpServers: { loop: { command: "x" } }, mcp: { loop: { command: ["x"] } } };
    write(settings, id === "codex" ? "[mcp_servers.loop]\ncommand = 'x'\n" : JSON.stringify(other));
    const before = files();
    expect(plan(true)).toMatchObject({
      type: "refused",
      why: expect.stringContaining('another MCP server named "loop"') as string,
    });
    expect(apply(plan(false))).toBeGreaterThan(0);
    expect(apply(planUninstall())).toBeGreaterThan(0);
    expect(files()).toEqual(before);
  });
});

test("the hooks can be installed again, and taken out, in the user's own home, which is no project", () => {
  const { plan, planUninstall, files } = installationOf("qwen-code");
  expect([plan, plan, planUninstall].map((planned) => apply(planned(false)))).toEqual([2, 0, 2]);
  expect(files()).toEqual([]);
});

describe("tables in a file that its client has rewritten", () => {
  test("are the only ones to go when its own stand among ours", () => {
    const { settings, plan, planUninstall } = installationOf("codex");
    write(settings, 'model = "x"\n');
    apply(plan(true));
    const end = "# The end of Loopwright's MCP tools.\n";
    const text = readFileSync(settings, "utf8").replace(
      end,
      `[projects."/a"]\ntrust_level = "trusted"\n${end}`,
    );
    writeFileSync(settings, text);
    expect(apply(plan(false))).toBe(1);
    apply(planUninstall());
    const left = readFileSync(settings, "utf8");
    expect(left).toContain('model = "x"\n');
    expect(left).toContain('[projects."/a"]\ntrust_level = "trusted"');
    expect(left).not.toMatch(/mcp_servers|Loopwright/);
  });

  test("are found without our comments, and in other quotes", () => {
    const { folder, plan, planUninstall, files } = installationOf("kimi");
    const path = join(folder, "config.toml");
    write(path, "[models.mine]\nmodel = 'm'\n");
    apply(plan(false));
    const rewritten = readFileSync(path, "utf8")
      .replaceAll(/^#.*\n/gm, "")
      .replaceAll('event = "Stop"', "event = 'Stop'");
    writeFileSync(path, rewritten);
    expect(apply(planUninstall())).toBeGreaterThan(0);
    expect(files().map(([, text]) => text.trim())).toEqual(["[models.mine]\nmodel = 'm'"]);
  });
});
