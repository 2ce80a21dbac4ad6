import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const S = "session-one";
const ATTENDED = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S, CLAUDE_CODE_ENTRYPOINT: "cli" };
const SPEC = "Round the total in the cart to cents until npm test passes";

function shop(): Sandbox {
  const sandbox = new Sandbox({ "cart.js": "" });
  sandbox.commitAll();
  for (const text of ["The cart rounds half a cent down.", "The cart is written in Danish."])
    expect(sandbox.loop("learn", text, "--kind", "constraint").code).toBe(0);
  return sandbox;
}

const shownTo = (sandbox: Sandbox): string =>
  sandbox.event("post-tool-use", S, { tool_name: "Bash", tool_input: {}, tool_response: {} });

/** The user allows a command of the agent's, which then runs. */
function allowed(sandbox: Sandbox, ...words: readonly string[]): ReturnType<Sandbox["loop"]> {
  const { out } = sandbox.hookOf("pre-tool-use", {
    hook_event_name: "PreToolUse",
    session_id: S,
    cwd: sandbox.root,
    tool_name: "Bash",
    tool_input: { command: ["loop", ...words].join(" ") },
  });
  expect(out).toContain('"permissionDecision":"ask"');
  return sandbox.loopWith({ env: ATTENDED }, ...words);
}

test.each([
  ["a plain loop", []],
  ["a workflow", ["--workflow", "--shape=tool"]],
])("what was learned before is shown to the user of %s, who says what applies", (_, flags) => {
  const sandbox = shop();
  const { out } = sandbox.loopWith({ env: ATTENDED }, "start", SPEC, ...flags);
  expect(out).toContain("Ask the user which of these apply");
  const ids = [...out.matchAll(/^- (\w{12}): constraint: (.*)$/gm)].map(([, id = "", text]) => [text, id]);
  const idOf = (text: string): string => Object.fromEntries(ids)[text] ?? "";
  expect(shownTo(sandbox)).toContain("From earlier loops:\n- ");

  const [rounds, danish] = [
    idOf("The cart rounds half a cent down."),
    idOf("The cart is written in Danish."),
  ];
  const marks = ["recall", "--confirm", rounds, "--dismiss", danish];
  expect(sandbox.loopWith({ env: ATTENDED }, ...marks).err).toContain("may only be run by the user");
  const before = sandbox.only().fit;
  expect(allowed(sandbox, ...marks).out).toMatch(/^Confirmed [^]*Dismissed /);
  expect(sandbox.only().fit).toBeLessThan(before ?? 0);
  expect(sandbox.loop("recall", SPEC).out).not.toContain("Danish");
});

test("nobody is asked about learnings where nobody is there, and the agent reads those that are sure enough", () => {
  const sandbox = shop();
  const { out } = sandbox.agentLoop(S, "start", SPEC);
  expect(out).not.toContain("Ask the user");
  expect(out).toContain("# Learned before");
});
