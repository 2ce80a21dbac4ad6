import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Planned } from "../src/agents/hosts/install/installer.ts";
import { applyChange } from "../src/agents/hosts/install/settings-file.ts";
import { INSTALLERS } from "../src/agents/hosts/installers.ts";

/** Whatever a person's settings are: in, in again, out, and every byte of the home is as it was. */

const JSON_TEXTS: { readonly [what: string]: string } = {
  "an empty file": "",
  "a file of blanks": " \n\t\n",
  "nothing but a byte order mark": "\uFEFF",
  "an empty object": "{}",
  "an empty object and a line": "{}\n",
  "an object of blanks": "{ \n\n }\n",
  CRLF: '{\r\n  "a": 1\r\n}\r\n',
  "CRLF and an empty object": "{\r\n}\r\n",
  "a byte order mark": '\uFEFF{\n  "a": 1\n}\n',
  tabs: '{\n\t"a": {\n\t\t"b": []\n\t}\n}',
  "one line": '{"a":1,"hooks":{},"mcpServers":{},"mcp":{}}',
  "no hooks": '{\n  "hooks": {},\n  "mcpServers": {},\n  "mcp": {}\n}\n',
  "blanks in no hooks": '{\n  "hooks": {\n\n  },\n  "mcpServers": { },\n  "mcp": {\n  }\n}\n',
  "no hooks at events of ours":
    '{\n  "hooks": {"Stop": [], "SessionStart": [ ], "AfterAgent": [\n    ], "UserPromptSubmit": []}\n}\n',
  "groups without hooks":
    '{"hooks": {"Stop": [{"hooks": []}], "AfterAgent": [{"matcher": "*", "hooks": [ ]}]}}',
  "hooks of their own": `{
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "true" }] }
    ],
    "AfterAgent": [{ "hooks": [ { "type": "command", "command": "true" } ] } ],
    "Notification": [{"hooks":[{"type":"command","command":"say done"}]}]
  },
  "mcpServers": { "mine": { "command": "x" } },
  "mcp": {"mine": {"type": "local", "command": ["x"]}}
}
`,
  "keys that come twice": '{"hooks": {"Stop": []}, "a": 1, "hooks": {}, "a": 2}',
  "odd keys": '{"__proto__": {"a": 1}, "constructor": [], "": "\\u0000 \\ud83d\\ude00"}',
  "no line end and many": '{"a": 1}\n\n\n',
};

const WITH_COMMENTS: { readonly [what: string]: string } = {
  comments: '// mine\n{\n  // a\n  "a": 1 // one\n  /* last */\n}\n// end',
  "nothing but comments": "{\n  // nothing yet\n}\n",
  "comments among hooks":
    '{\n  "hooks": { /* none */ },\n  "mcpServers": {\n    // none\n  }, "mcp": { /* } */ }\n}\n',
};

const BROKEN: { readonly [what: string]: string | Buffer } = {
  "no Unicode": Buffer.from('{"a": "\xff"}', "latin1"),
  "half an object": '{"a": 1',
  "two objects": "{}{}",
  "a list": "[]",
  null: "null",
  "a text": '"settings"',
  "hooks that are a list": '{"hooks": []}',
  "hooks that are null": '{"hooks": null}',
  "an event that is no list": '{"hooks": {"Stop": {}, "AfterAgent": {}}}',
  "a group that is none": '{"hooks": {"Stop": ["true"], "AfterAgent": [1]}}',
  "too many levels": `{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
};

const TOML_TEXTS: { readonly [what: string]: string } = {
  "an empty file": "",
  "a file of blanks": "\n\n  \n",
  "no line end": 'model = "x"',
  CRLF: '# mine\r\nmodel = "x"\r\n\r\n[a]\r\nb = 1\r\n',
  "a byte order mark": '\uFEFFmodel = "x"\n',
  comments: '# mine\n[a] # a\nb = "# no comment" # b\n\n\n',
  "hooks and servers of their own":
    '[[hooks]]\nevent = "Stop"\ncommand = "true"\n\n[mcp_servers.mine]\ncommand = "x"\nargs = ["mcp"]\n',
  "lines over lines": 'a = """\n[mcp_servers.mine]\n[[hooks]]\n"""\n',
};

/** Every file, folder and link of a folder, with its bytes and its mode. */
function everythingIn(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return new Map(
    found.map((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o777).toString(8);
      if (stats.isSymbolicLink()) return [name, `link to ${readlinkSync(path)}`];
      return [name, `${mode} ${stats.isDirectory() ? "folder" : readFileSync(path).toString("latin1")}`];
    }),
  );
}

function apply(planned: Planned): number {
  if (planned.type === "refused") throw new Error(planned.why);
  for (const change of planned.changes) expect(applyChange(change)).toBeNull();
  return planned.changes.length;
}

/** A home with a client's folder in it, and what an installation there writes. */
function homeOf(id: string, mcp: boolean) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-trips-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, dist] = [join(folder, "home"), join(folder, "dist")];
  for (const each of [join(home, "project"), dist]) mkdirSync(each, { recursive: true });
  for (const each of ["hook.js", "hook.sh", "bridge.js", "skill.md"])
    cpSync(resolve("dist", each), join(dist, each));
  const installer = INSTALLERS.find((each) => each.id === id);
  if (installer === undefined) throw new Error(id);
  const place = { env: { HOME: home }, cwd: join(home, "project") };
  const program = { node: process.execPath, hook: join(dist, "hook.js") };
  const plan = (by = program): Planned => installer.planInstall(place, "user", by, { mcp });
  const planned = plan();
  const written = planned.type === "changes" ? planned.changes.map(({ path }) => path) : [];
  for (const path of written) mkdirSync(dirname(path), { recursive: true });
  return {
    home,
    program,
    /** Files that others write, too. */
    shared: written.filter((path) => /\.(?:json|toml)$/.test(path) && !path.endsWith("loop.json")),
    plan,
    planOut: () => installer.planUninstall(place, null),
    out: () => apply(installer.planUninstall(place, null)),
  };
}

type Home = ReturnType<typeof homeOf>;

/** What is not as it was once the hooks are in, in again, and out. */
function changedBy({ home, plan, out }: Home): readonly string[] {
  const before = everythingIn(home);
  expect(apply(plan())).toBeGreaterThan(0);
  expect(apply(plan())).toBe(0);
  expect(out()).toBeGreaterThan(0);
  const changed = changesBetween(before, everythingIn(home));
  expect(out()).toBe(0);
  return changed;
}

/** An empty folder may go with the file that was ours alone. */
function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .filter((name) => after.has(name) || before.get(name)?.endsWith(" folder") !== true)
    .map((name) => `${name}: ${JSON.stringify(before.get(name))} is ${JSON.stringify(after.get(name))}`);
}

const KINDS = INSTALLERS.flatMap(({ id, offersMcp }) => [
  { id, mcp: false, name: id },
  ...(offersMcp ? [{ id, mcp: true, name: `${id} --mcp` }] : []),
]);

/** Claude Code reads its settings as JSON. */
function textsFor(id: string, path: string): { readonly [what: string]: string } {
  if (path.endsWith(".toml")) return TOML_TEXTS;
  return id === "claude-code" ? JSON_TEXTS : { ...JSON_TEXTS, ...WITH_COMMENTS };
}

/** A file of MCP servers alone has no hooks to be wrong. In TOML, a line that we don't know is not ours to judge. */
function brokenFor(_: string, path: string): { readonly [what: string]: string | Buffer } {
  if (path.endsWith(".toml")) return { "no Unicode": BROKEN["no Unicode"] ?? "" };
  return BROKEN;
}

describe.each(KINDS)("loop install $name, and out again", ({ id, mcp }) => {
  test("leaves a home in which there was nothing as it was", () => {
    expect(changedBy(homeOf(id, mcp))).toEqual([]);
  });

  test("leaves every text as it was", () => {
    const failed = inEach(id, mcp, textsFor, (world) => {
      expect(changedBy(world)).toEqual([]);
    });
    expect(failed).toEqual([]);
  });

  test("writes nothing where it can't read the settings as the client does, and removes nothing", () => {
    const failed = inEach(id, mcp, brokenFor, (world) => {
      const before = everythingIn(world.home);
      expect(world.plan()).toMatchObject({
        type: "refused",
        why: expect.stringContaining("cannot be edited: ") as string,
      });
      const removal = world.planOut();
      expect(removal.type === "changes" ? removal.changes : []).toEqual([]);
      expect(everythingIn(world.home)).toEqual(before);
    });
    expect(failed).toEqual([]);
  });

  test("writes through a link, and keeps the mode of a file", () => {
    const world = homeOf(id, mcp);
    const kept = join(world.home, "dotfiles");
    mkdirSync(kept);
    for (const path of world.shared) {
      const real = join(kept, basename(path));
      writeFileSync(real, path.endsWith(".toml") ? "a = 1\n" : '{ "a": 1 }');
      chmodSync(real, 0o640);
      symlinkSync(real, path);
    }
    expect(changedBy(world)).toEqual([]);
  });

  test("takes the place of what an older version wrote, from wherever it was", () => {
    const world = homeOf(id, mcp);
    for (const path of world.shared) writeFileSync(path, path.endsWith(".toml") ? "a = 1\n" : '{ "a": 1 }');
    const before = everythingIn(world.home);
    const older = join(world.home, "older dist");
    cpSync(dirname(world.program.hook), older, { recursive: true });
    apply(world.plan({ node: process.execPath, hook: join(older, "hook.js") }));
    expect(apply(world.plan())).toBeGreaterThan(0);
    rmSync(older, { recursive: true });
    expect([...everythingIn(world.home).values()].join("\n")).not.toContain("older dist");
    world.out();
    expect(changesBetween(before, everythingIn(world.home))).toEqual([]);
  });
});

/** The texts that are not as they should be afterwards, each with what is wrong. */
function inEach(
  id: string,
  mcp: boolean,
  textsOf: (id: string, path: string) => { readonly [what: string]: string | Buffer },
  attempt: (world: Home) => void,
): readonly string[] {
  const { shared } = homeOf(id, mcp);
  const names = new Set(shared.flatMap((path) => Object.keys(textsOf(id, path))));
  return [...names].flatMap((what) => {
    const world = homeOf(id, mcp);
    for (const path of world.shared) {
      const text = textsOf(id, path)[what];
      if (text !== undefined) writeFileSync(path, text);
    }
    try {
      attempt(world);
      return [];
    } catch (error) {
      return [`${what}: ${String(error).slice(0, 2_000)}`];
    }
  });
}
