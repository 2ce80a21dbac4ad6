import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const SESSION = "session-1";
const PRESENT = { CLAUDE_CODE_SESSION_ATTENDED: "1" };

/** What the hook tells the host about a shell line; null: nothing. */
function decided(sandbox: Sandbox, command: string, env: NodeJS.ProcessEnv = PRESENT): string | null {
  const payload = { session_id: SESSION, cwd: sandbox.root, tool_name: "Bash", tool_input: { command } };
  const { code, out } = sandbox.hook(JSON.stringify(payload), env, ["pre-tool-use"]);
  expect(code).toBe(0);
  if (out === "") return null;
  const { hookSpecificOutput } = JSON.parse(out) as {
    hookSpecificOutput: { hookEventName: string; permissionDecision: string };
  };
  expect(hookSpecificOutput.hookEventName).toBe("PreToolUse");
  return hookSpecificOutput.permissionDecision;
}

test("a session's agent may look, and its person is asked about the rest", () => {
  const sandbox = new Sandbox();
  expect(decided(sandbox, "loop check")).toBe("allow");
  expect(decided(sandbox, "loop start 'Fix it' -c 'ok=true'")).toBe("ask");
  expect(decided(sandbox, "npm test")).toBeNull();
  // With nobody to be asked, the host's own rules decide.
  expect(decided(sandbox, "loop start 'Fix it'", { CLAUDE_CODE_SESSION_ATTENDED: "0" })).toBeNull();
  expect(decided(sandbox, "loop check", { ...PRESENT, LOOP_DISABLE: "1" })).toBeNull();
});

test("what the user has just typed is not asked about again, until they say something else", () => {
  const sandbox = new Sandbox();
  const line = `loop continue --session ${SESSION}`;
  expect(decided(sandbox, line)).toBe("ask");
  sandbox.event("user-prompt-submit", SESSION, { prompt: "/loop:continue --budget=5" });
  expect(decided(sandbox, line)).toBeNull();
  expect(decided(sandbox, "loop approve")).toBe("ask");
  sandbox.event("user-prompt-submit", SESSION, { prompt: "/loop:start Fix it" });
  expect(decided(sandbox, "loop start 'Fix it'")).toBe("ask");
  expect(decided(sandbox, line)).toBe("ask");
});

test("the user isn't asked about the loop's own checks, as they were written, and about all others", () => {
  const sandbox = new Sandbox({ "a.txt": "a\n" });
  sandbox.commitAll();
  const asks = (command: string): boolean => {
    const payload = { session_id: SESSION, cwd: sandbox.root, tool_name: "Bash", tool_input: { command } };
    const { out } = sandbox.hook(JSON.stringify(payload), PRESENT, ["permission-request"]);
    if (out === "") return true;
    expect(JSON.parse(out)).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
    return false;
  };
  expect(asks("npx vitest run")).toBe(true);
  const once = ["-c", "deployed=./deploy.sh", "--once", "deployed"];
  sandbox.start(SESSION, "Fix it", "-c", "tests pass=npx vitest run || false", ...once);
  expect(asks("npx vitest run || false")).toBe(false);
  expect(asks("npx vitest run || false; rm -rf /")).toBe(true);
  expect(asks("npx vitest run")).toBe(true);
  expect(asks("./deploy.sh")).toBe(true);
  sandbox.loop("pause");
  expect(asks("npx vitest run || false")).toBe(true);
});

test("a person is told when the agent that leads the work writes its own review", () => {
  const sandbox = new Sandbox({ "a.txt": "a\n" });
  sandbox.commitAll();
  sandbox.start(SESSION, "Fix it", "-c", "ok=false");
  const asks = (payload: object): string => {
    const line = "loop review record - <<'END'\n{}\nEND";
    const whole = {
      session_id: SESSION,
      cwd: sandbox.root,
      tool_name: "Bash",
      tool_input: { command: line },
    };
    sandbox.hook(JSON.stringify({ ...whole, ...payload }), PRESENT, ["pre-tool-use"]);
    return sandbox.event("post-tool-use", SESSION, { tool_name: "Bash", tool_input: {}, tool_response: {} });
  };
  sandbox.event("post-tool-use", SESSION, { tool_name: "Bash", tool_input: {}, tool_response: {} });
  expect(asks({ agent_id: "a1" })).toBe("");
  expect(asks({})).toContain("wrote this review itself");
});
