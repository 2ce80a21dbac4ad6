import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseScript, readScript } from "./script.ts";

test("a script is read with what it leaves out", () => {
  const text =
    '\uFEFF{"turns":[{},{"do":[{"say":"a"}],"tokens":{"input":3},"trouble":{"kind":"transient"}}]}';
  expect(parseScript(text)).toEqual({
    type: "script",
    script: {
      turns: [
        { do: [] },
        { do: [{ say: "a" }], tokens: { input: 3, output: 0 }, trouble: { kind: "transient" } },
      ],
      repeat: false,
    },
  });
});

test("every act and every trouble is known", () => {
  const script = {
    repeat: true,
    turns: [
      {
        do: [
          { write: "a", text: "" },
          { edit: "a", from: "x", to: "" },
          { delete: "a" },
          { run: "true" },
          { say: "" },
          { wait: 0.5 },
          { print: "" },
          { flood: 0 },
          { hang: true },
          { exit: 255 },
        ],
        say: "",
        usd: 0,
        tokens: { input: 0, output: 0 },
        model: "m",
        trouble: { kind: "usage-limit", resetsInMs: 0, detail: "d" },
      },
      { do: [], trouble: { kind: "permission", tool: "Bash", rule: "Bash(npm test)" } },
      ...["usage-limit", "transient", "blocking", "budget", "lost-conversation", "unknown"].map((kind) => ({
        do: [],
        trouble: { kind },
      })),
    ],
  };
  expect(parseScript(JSON.stringify(script))).toEqual({ type: "script", script });
});

const turn = (part: object): object => ({ turns: [{}, part] });
const act = (part: unknown): object => turn({ do: [{ say: "a" }, part] });

const NO_ACT =
  "turns[1].do[1] should be an object with one of write, edit, delete, run, say, wait, print, flood, hang, exit";

test.each([
  ["7", "the script should be an object"],
  ["[]", "turns is missing"],
  [{}, "turns is missing"],
  [{ turns: [] }, "turns should not be empty"],
  [{ turns: {} }, "turns should be a list"],
  [{ turns: [{}], again: 1 }, "again is unknown"],
  [{ turns: [{}], "a\nb": 1 }, '"a\\nb" is unknown'],
  [{ turns: [{}], repeat: 1 }, "repeat should be true or false"],
  [turn({ usd: -1 }), "turns[1].usd should be at least 0"],
  [turn({ usd: "1" }), "turns[1].usd should be a number"],
  [turn({ tokens: { input: 1.5 } }), "turns[1].tokens.input should be a whole number"],
  [turn({ tokens: { inputs: 1 } }), "turns[1].tokens.inputs is unknown"],
  [
    turn({ trouble: { kind: "bad luck" } }),
    expect.stringMatching(/^turns\[1\]\.trouble\.kind should be .*"usage-limit"/),
  ],
  [turn({ trouble: { kind: "permission", tool: "Bash" } }), "turns[1].trouble.rule is missing"],
  [turn({ trouble: { kind: "transient", resetsInMs: 1 } }), "turns[1].trouble.resetsInMs is unknown"],
  [act("say"), NO_ACT],
  [act({ shout: "a" }), NO_ACT],
  [act({ write: "a" }), "turns[1].do[1].text is missing"],
  [act({ write: "a", text: "", say: "" }), "turns[1].do[1].say is unknown"],
  [
    act({ write: "../a", text: "" }),
    "turns[1].do[1].write should be a relative path inside the project, without ..",
  ],
  [act({ delete: "/" }), "turns[1].do[1].delete should be a relative path inside the project, without .."],
  [act({ edit: "a", from: "", to: "" }), "turns[1].do[1].from should not be empty"],
  [act({ hang: false }), "turns[1].do[1].hang should be true"],
  [act({ exit: 256 }), "turns[1].do[1].exit should be at most 255"],
  [act({ wait: 1e10 }), "turns[1].do[1].wait should be at most 2147483647"],
  ["{", "it is not valid JSON"],
])("a script of %j is refused", (script, why) => {
  const found = parseScript(typeof script === "string" ? script : JSON.stringify(script));
  expect(found).toEqual({ type: "unreadable", why });
});

test("a script that is not there is unreadable", () => {
  expect(readScript("/nowhere/script.json")).toMatchObject({
    type: "unreadable",
    why: expect.stringContaining("ENOENT"),
  });
});

test("every deed that docs/rehearsal.md shows can be played", () => {
  const rows = [...readFileSync("docs/rehearsal.md", "utf8").matchAll(/^\| `(\{.*\})` \| [a-z]/gm)];
  expect(rows).toHaveLength(10);
  const deeds = rows.map(([, deed]) => deed).join(", ");
  expect(parseScript(`{"turns":[{"do":[${deeds}]}]}`)).toMatchObject({ type: "script" });
});
