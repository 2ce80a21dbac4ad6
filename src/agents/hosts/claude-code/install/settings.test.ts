import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SettingsError } from "../../install/settings-file.ts";
import {
  areHooksDisabled,
  enabledPlugin,
  hasHooksByHand,
  hasOurHooks,
  installedPlugin,
  withHooks,
  withoutHooks,
  hookEntries,
} from "./settings.ts";

const PROGRAM = { node: "/opt/node/bin/node", hook: "/opt/loop wright/dist/hook.js" };
const EVENTS = [...hookEntries(PROGRAM).keys()];

interface Parsed {
  readonly [key: string]: unknown;
  readonly hooks: { readonly [event: string]: readonly { readonly hooks: readonly object[] }[] };
}

function parse(text: string): Parsed {
  return JSON.parse(text) as Parsed;
}

function byHand(command: string): string {
  return JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
}

const THEIRS = `{
  "permissions": {"allow": ["Bash(ls)", "Read"]},
  "hooks": {
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    "Notification": [
      {
        "matcher": "idle_prompt",
        "hooks": [ { "type": "command", "command": "beep" } ]
      }
    ]
  },
  "model": "opus"
}
`;

describe("installing", () => {
  test("adds one hook for each event, without a shell, with time for checks at a stop", () => {
    const { hooks } = parse(withHooks("", PROGRAM));
    expect(Object.keys(hooks)).toEqual(EVENTS);
    expect(hooks["Stop"]).toEqual([
      {
        hooks: [
          {
            type: "command",
            command: PROGRAM.node,
            args: [PROGRAM.hook, "stop", "--host", "claude-code"],
            bash: `'${PROGRAM.node}' '${PROGRAM.hook}' stop --host copilot`,
            powershell: `& "${PROGRAM.node}" "${PROGRAM.hook}" stop --host copilot`,
            timeout: 600,
            statusMessage: "checking the spec …",
          },
        ],
      },
    ]);
    expect(hooks["UserPromptExpansion"]).toMatchObject([
      {
        hooks: [
          {
            command: PROGRAM.hook.replace("hook.js", "hook.sh"),
            args: [PROGRAM.node, "user-prompt-expansion", "--host", "claude-code"],
            bash: `/bin/sh '${PROGRAM.hook.replace("hook.js", "hook.sh")}' '${PROGRAM.node}' user-prompt-expansion --host copilot`,
            timeout: 10,
          },
        ],
      },
    ]);
  });

  test("never has a shell as its command: a client that ignores arguments would let it run the payload", () => {
    const commands = [...hookEntries(PROGRAM, "linux").values()].map(({ command }) => command);
    expect(new Set(commands)).toEqual(new Set([PROGRAM.node, PROGRAM.hook.replace("hook.js", "hook.sh")]));
    const onWindows = [...hookEntries(PROGRAM, "win32").values()].map(({ command }) => command);
    expect(new Set(onWindows)).toEqual(new Set([PROGRAM.node]));
  });

  test("keeps every other key and hook, and the way they are written", () => {
    const text = withHooks(THEIRS, PROGRAM);
    const { hooks, ...others } = parse(text);
    expect(others).toEqual({ permissions: { allow: ["Bash(ls)", "Read"] }, model: "opus" });
    expect(hooks["Notification"]).toEqual(parse(THEIRS).hooks["Notification"]);
    expect(hooks["Stop"]).toHaveLength(2);
    for (const line of THEIRS.split("\n").filter((each) => !/Stop|^ {4}\]$/.test(each))) {
      expect(text).toContain(line);
    }
  });

  test("twice leaves the same as once", () => {
    const once = withHooks(THEIRS, PROGRAM);
    expect(withHooks(once, PROGRAM)).toBe(once);
  });

  test("puts the paths of a moved program right, and takes doubles and events of old out", () => {
    const moved = { node: "/new/node", hook: "/new/dist/hook.js" };
    expect(withHooks(withHooks(THEIRS, PROGRAM), moved)).toBe(withHooks(THEIRS, moved));
    const entry = { type: "command", command: "node", args: ["/x/hook.js", "gone", "--host", "claude-code"] };
    const old = { hooks: { Gone: [{ hooks: [entry] }], Stop: [{ hooks: [entry, entry] }] } };
    expect(parse(withHooks(JSON.stringify(old), moved))).toEqual(parse(withHooks("{}", moved)));
  });
});

describe("uninstalling", () => {
  test("restores the text to the byte", () => {
    expect(withoutHooks(withHooks(THEIRS, PROGRAM))).toBe(THEIRS);
    expect(withoutHooks(withHooks("", PROGRAM))).toBe("");
    expect(withoutHooks(withHooks(null, PROGRAM))).toBeNull();
  });

  test("removes a hook of ours out of somebody's group, and leaves the group", () => {
    const [ours] = hookEntries(PROGRAM).values();
    const theirs = { type: "command", command: "say done" };
    const text = JSON.stringify({ hooks: { Stop: [{ matcher: "", hooks: [theirs, ours] }] } });
    expect(parse(withoutHooks(text) ?? "")).toEqual({ hooks: { Stop: [{ matcher: "", hooks: [theirs] }] } });
  });

  test.each([
    { type: "command", command: "node", args: ["/x/hook.js", "stop"] },
    { type: "command", command: "node", args: ["/x/hook.js", "stop", "--host", "codex"] },
    { type: "command", command: "node", args: ["/x/other.js", "stop", "--host", "claude-code"] },
    { type: "command", command: "node /x/hook.js stop --host claude-code" },
    { type: "prompt", prompt: "loop" },
    null,
  ])("leaves what only looks like ours: %j", (entry) => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [entry] }] } });
    expect(withoutHooks(text)).toBe(text);
    expect(hasOurHooks(text)).toBe(false);
  });

  const command = fc.record({ type: fc.constant("command"), command: fc.string() });
  const group = fc.record({ hooks: fc.array(command, { minLength: 1 }) });
  const hooks = fc.dictionary(
    fc.constantFrom("Stop", "SessionStart", "Other"),
    fc.array(group, { minLength: 1 }),
    {
      minKeys: 1,
    },
  );

  test("restores any settings in any style", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.option(hooks),
        fc.constantFrom(undefined, 2, 4, "\t"),
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom("", "\uFEFF"),
        (others, theirs, style, end, mark) => {
          const { hooks: _, ...rest } = others;
          const settings = theirs === null ? rest : { ...rest, hooks: theirs };
          const text = mark + JSON.stringify(settings, null, style).replaceAll("\n", end);
          expect(withoutHooks(withHooks(text, PROGRAM))).toBe(text);
        },
      ),
    );
  });
});

describe("settings that are refused", () => {
  test.each([
    ['{"hooks": {}', "it is not valid JSON"],
    ['{ // a comment\n"model": "opus" }', "it is not valid JSON"],
    ["[]", "it is not a JSON object"],
    ['{"hooks": []}', 'its "hooks" is not an object'],
    ['{"hooks": {"Stop": {}}}', 'its "hooks" has something other than hooks at "Stop"'],
    ['{"hooks": {"Stop": [{"command": "x"}]}}', 'its "hooks" has something other than hooks at "Stop"'],
  ])("are left as they are: %s", (text, why) => {
    expect(() => withHooks(text, PROGRAM)).toThrow(new SettingsError(why));
    expect(() => withoutHooks(text)).toThrow(new SettingsError(why));
  });
});

describe("what else is there", () => {
  test("an enabled plugin of ours is found", () => {
    expect(enabledPlugin('{"enabledPlugins": {"fine@x": true, "loop@loopwright": true}}')).toBe(
      "loop@loopwright",
    );
    expect(enabledPlugin('{"enabledPlugins": {"loop@loopwright": false, "loops@x": true}}')).toBeNull();
    expect(enabledPlugin("{}")).toBeNull();
  });

  test("an installed plugin of ours is found", () => {
    expect(installedPlugin('{"version":2,"plugins":{"a@b":[],"loop@here":[{"scope":"user"}]}}')).toBe(
      "loop@here",
    );
    expect(installedPlugin('{"version":2,"plugins":{}}')).toBeNull();
    expect(installedPlugin("not JSON")).toBeNull();
    expect(installedPlugin('{"version":3}')).toBeNull();
  });

  test("a hook that somebody wrote by hand is found", () => {
    expect(hasHooksByHand(byHand("node /path/to/loopwright/dist/hook.js stop"))).toBe(true);
    expect(hasHooksByHand(byHand('node "/my code/loopwright/dist/hook.js" stop --host claude-code'))).toBe(
      true,
    );
    expect(hasHooksByHand(byHand("node /somebody/dist/hook.js stop"))).toBe(false);
    expect(hasHooksByHand(withHooks("{}", PROGRAM))).toBe(false);
  });

  test("a switch that turns all hooks off is found", () => {
    expect(areHooksDisabled('{"disableAllHooks": true}')).toBe(true);
    expect(areHooksDisabled("{}")).toBe(false);
  });
});
