import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Sandbox, type Ran } from "./support/sandbox.ts";

const LOOP = `"${process.execPath}" "${resolve("dist/cli.js")}"`;

/** A line in a shell of an agent, as Claude Code starts one: the shell stays above what it runs. */
function inAgentsShell(sandbox: Sandbox, session: string, line: string, input = ""): Ran {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", `${line}; exit $?`], {
    cwd: sandbox.root,
    env: { ...sandbox.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session, AI_AGENT: "claude-code/agent" },
    encoding: "utf8",
    input,
  });
  return { code: status, out: stdout, err: stderr };
}

function held(): Sandbox {
  const sandbox = new Sandbox();
  sandbox.start("s1", "Fix it", "-c", "ok=false", "-c", "looks good");
  return sandbox;
}

/** What `env -i` leaves of the surroundings: just enough to find the same loops. */
function bare({ env }: Sandbox): string {
  return `env -i PATH="$PATH" HOME="${env["HOME"]}" XDG_STATE_HOME="${env["XDG_STATE_HOME"]}"`;
}

describe("an agent is known by the shells above it", () => {
  test.each([
    ["CLAUDECODE=0", () => "CLAUDECODE=0"],
    ["no variable at all", bare],
  ])("and cannot cancel with %s", (_what, prefix) => {
    const sandbox = held();
    const ran = inAgentsShell(sandbox, "s1", `${prefix(sandbox)} ${LOOP} cancel`);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("may only be run by the user");
    expect(sandbox.only()).toMatchObject({ phase: "active" });
  });

  test("and cannot cancel after it replaced its own shell", () => {
    const sandbox = held();
    const program = join(sandbox.home, "claude");
    copyFileSync("/bin/sh", program);
    // The agent's own process has none of the variables that it gives to its shells.
    const ran = spawnSync(
      program,
      [
        "-c",
        `CLAUDECODE=1 /bin/sh -c 'exec ${bare(sandbox)} ${LOOP} cancel --loop ${sandbox.only().id}'; exit $?`,
      ],
      { cwd: sandbox.root, env: sandbox.env, encoding: "utf8" },
    );
    expect(ran.stderr).toContain("may only be run by the user");
    expect(sandbox.only()).toMatchObject({ phase: "active" });
  });

  test("nor can the agent of a run, which is below the run itself", () => {
    const sandbox = new Sandbox({ "a.txt": "a" });
    sandbox.commitAll();
    const agent = `exec ${bare(sandbox)} ${LOOP} cancel`;
    sandbox.loop(
      "run",
      "Fix it",
      "-c",
      "ok=false",
      "--agent",
      "command",
      "--command",
      agent,
      "--iterations",
      "1",
    );
    expect(sandbox.only()).toMatchObject({ phase: "paused" });
  });

  const ELSEWHERE = (sandbox: Sandbox): string => {
    const state = join(sandbox.home, "other-state");
    return `env -i PATH="$PATH" HOME="${sandbox.env["HOME"]}" XDG_STATE_HOME="${state}"`;
  };

  test("nor trust its loop in another state home, and end it there", () => {
    const sandbox = held();
    const { id } = sandbox.only();
    const loop = `${ELSEWHERE(sandbox)} ${LOOP}`;
    const ran = inAgentsShell(sandbox, "s1", `${loop} trust ${id} --yes; ${loop} cancel --loop ${id}`);
    expect(ran.err).toContain("`loop trust` may only be run by the user");
    expect(sandbox.only()).toMatchObject({ phase: "active" });
    const persons = spawnSync("/bin/sh", ["-c", `${loop} trust ${id} --yes; exit $?`], {
      cwd: sandbox.root,
      env: sandbox.env,
    });
    expect(persons.status).toBe(0);
  });

  test("nor end it in a copy of the state home", () => {
    const sandbox = held();
    const copy = `cp -r "${sandbox.env["XDG_STATE_HOME"]}" "${join(sandbox.home, "other-state")}"`;
    const ran = inAgentsShell(sandbox, "s1", `${copy}; ${ELSEWHERE(sandbox)} ${LOOP} cancel`);
    expect(ran.err).toContain("may only be run by the user");
    expect(sandbox.only()).toMatchObject({ phase: "active" });
  });

  test.each([
    ["user-prompt-submit", { prompt: "/loop:cancel" }],
    ["user-prompt-expansion", { expansion_type: "slash_command", command_name: "loop:cancel" }],
  ])("nor say that its user typed something: %s", (word, typed) => {
    const sandbox = held();
    const prompt = { session_id: "s1", ...typed };
    const hook = `"${process.execPath}" "${resolve("dist/hook.js")}" ${word} --host claude-code`;
    const line = `CLAUDE_PROJECT_DIR="$PWD" ${hook}; ${LOOP} cancel`;
    const input = JSON.stringify({ ...prompt, cwd: sandbox.root });
    expect(inAgentsShell(sandbox, "s1", line, input).err).toContain("may only be run by the user");
    expect(sandbox.only()).toMatchObject({ phase: "active" });
    // As Claude Code calls its hooks, in a shell.
    spawnSync("/bin/sh", ["-c", `${hook}; exit $?`], {
      cwd: sandbox.root,
      env: {
        ...sandbox.env,
        CLAUDECODE: "1",
        CLAUDE_CODE_SESSION_ID: "s1",
        CLAUDE_PROJECT_DIR: sandbox.root,
      },
      input,
    });
    expect(inAgentsShell(sandbox, "s1", `${LOOP} cancel`).code).toBe(0);
  });

  test("nor give its word as a person's", () => {
    const sandbox = held();
    inAgentsShell(sandbox, "s1", `${bare(sandbox)} ${LOOP} criteria met "looks good" --by observation`);
    expect(sandbox.only().criteria).toMatchObject([{}, { attestedBy: "agent" }]);
  });

  test("everybody else is a person, however bare the surroundings", () => {
    const sandbox = held();
    const ran = spawnSync("/bin/sh", ["-c", `${bare(sandbox)} ${LOOP} cancel; exit $?`], {
      cwd: sandbox.root,
      env: sandbox.env,
    });
    expect(ran.status).toBe(0);
  });
});

describe("an agent binds only its own session", () => {
  test.each([
    ["--session OTHER", `${LOOP} start "Hold them" -c ok=false --session other`],
    ["another session's variable", `CLAUDE_CODE_SESSION_ID=other ${LOOP} start "Hold them" -c ok=false`],
    ["neither variable", `CLAUDE_CODE_SESSION_ID= ${LOOP} start "Hold them" -c ok=false --session other`],
  ])("whether it starts with %s", (_what, line) => {
    const sandbox = new Sandbox();
    inAgentsShell(sandbox, "s1", line);
    expect(sandbox.stop("other")).toEqual({ code: 0, out: "", err: "" });
  });

  test("or continues after a command that the user typed", () => {
    const sandbox = held();
    sandbox.event("user-prompt-submit", "s1", {
      hook_event_name: "UserPromptSubmit",
      prompt: "/loop:continue",
    });
    const ran = inAgentsShell(sandbox, "s1", `${LOOP} continue --session s9`);
    expect(ran.err).toContain("An agent can only bind its own session");
    expect(sandbox.only()).toMatchObject({ session: "s1" });
    expect(inAgentsShell(sandbox, "s1", `${LOOP} continue --session s1`).code).toBe(0);
  });
});
