import { join } from "node:path";

const SESSION = "session-1";
const CHECK = "done=test -f done.txt || { echo 'done.txt is missing'; exit 1; }";

function open(project, ...words) {
  project.loop(["start", "Write done.txt", "--shape", "tool", "--session", SESSION, ...words]);
}

function statusBlock(...lines) {
  return { last_assistant_message: `Words.\n---LOOP_STATUS---\n${lines.join("\n")}\n---END_STATUS---` };
}

function spend(project, transcript, number) {
  const usage = { input_tokens: 1000, output_tokens: 100 };
  const message = { id: `m${number}`, model: "claude-sonnet-4-5", role: "assistant", usage, content: [] };
  const row = { type: "assistant", requestId: `r${number}`, timestamp: new Date().toISOString(), message };
  project.keep(transcript, `${JSON.stringify(row)}\n`, "a");
}

export const SESSION_SCENARIOS = {
  "session-completed": (project) => {
    const transcript = project.keep(join(project.home, "transcript.jsonl"), "");
    const told = { transcript_path: transcript };
    project.hook("session-start", SESSION, told);
    open(project, "-c", CHECK);
    spend(project, transcript, 1);
    project.hook("stop", SESSION, told, { held: true });
    project.hook("user-prompt-submit", SESSION, { prompt: "Go on" });
    project.write({ "done.txt": "done\n" });
    spend(project, transcript, 2);
    project.agentLoop(SESSION, ["done"]);
    project.hook("stop", SESSION, told);
  },

  /** Nobody's at first; then a session's, which is in the middle of it. */
  "session-active": (project) => {
    project.loop(["start", "Write done.txt", "--shape", "tool", "-c", CHECK]);
    project.loop(["continue", "--session", SESSION]);
    project.hook("stop", SESSION, {}, { held: true });
  },

  "session-paused": (project) => {
    open(project, "-c", CHECK, "--iterations", "1", "--max-tokens", "5000", "--max-minutes", "60");
    project.loop(["pause"]);
    project.loop([
      "continue",
      "--budget",
      "5",
      "--iterations",
      "1",
      "--max-tokens",
      "100",
      "--max-minutes",
      "5",
    ]);
    project.agentLoop(SESSION, ["done"]);
    project.hook("stop", SESSION, statusBlock("EXIT_SIGNAL: false"), { held: true });
    project.hook("stop", SESSION, {}, { held: true });
    project.hook("stop", SESSION);
  },

  /** What an agent may do to its criteria and steps, what it may not, and what its user did. */
  "session-criteria": (project) => {
    project.write({ "test/a.txt": "a\n" });
    open(
      project,
      "-c",
      CHECK,
      "--protect",
      "test/**",
      "--must-not",
      "path:README.md",
      "--must-not",
      "run:true",
    );
    project.loop(["criteria", "add", "lint", "--check", "false", "--check-timeout", "quick"]);
    project.loop(["criteria", "add", "docs"]);
    project.loop(["criteria", "check", "lint", "--", "test", "-f", "lint.txt"]);
    project.agentLoop(SESSION, ["criteria", "met", "docs", "--by", "code review", "--note", "read it"]);
    project.agentLoop(SESSION, ["criteria", "unmet", "docs"]);
    project.agentLoop(SESSION, ["criteria", "remove", "lint"], { code: 1 });
    project.loop(["criteria", "remove", "docs"]);
    for (const words of [
      ["add", "one"],
      ["add", "two"],
      ["done", "one"],
      ["reopen", "one"],
      ["remove", "two"],
    ])
      project.agentLoop(SESSION, ["step", ...words]);
    project.loop(["check"], { code: 1 });
    project.write({ "test/a.txt": "b\n" });
    project.hook("stop", SESSION, statusBlock('STEPS: ["one"]'), { held: true });
    project.loop(["approve", "--yes"]);
    project.write({ "README.md": "Changed\n" });
    project.hook("stop", SESSION);
  },

  /** One inner loop is satisfied; the next one is at work. */
  "session-nested": (project) => {
    open(project, "-c", CHECK, "-s", "plan", "-s", "write");
    project.agentLoop(SESSION, ["start", "Write inner.txt", "--nested", "-c", "inner=test -f inner.txt"]);
    project.hook("stop", SESSION, {}, { held: true });
    project.write({ "inner.txt": "inner\n" });
    project.agentLoop(SESSION, ["done"]);
    project.hook("stop", SESSION, {}, { held: true });
    project.agentLoop(SESSION, [
      "start",
      "Look around",
      "--nested",
      "--exit-rule",
      "marker",
      "--iterations",
      "2",
    ]);
  },

  "session-colleague": (project) => {
    project.loop(["start", "Make it nicer", "--shape", "colleague", "--session", SESSION, "-c", CHECK]);
    project.hook("session-start", SESSION);
    project.hook("stop", SESSION, {}, { env: { CLAUDE_CODE_SESSION_ATTENDED: "1" } });
    project.hook("user-prompt-submit", SESSION, { prompt: "Go on" });
    project.hook("pre-compact", SESSION, { trigger: "auto" });
  },

  "session-cancelled": (project) => {
    open(project, "-c", CHECK);
    project.loop(["cancel"]);
    project.agentLoop(SESSION, ["continue", "--budget", "5"], { code: 1 });
  },

  "session-tasks": (project) => {
    const list = join(project.home, ".claude", "tasks", SESSION);
    const task = (id, subject, status, blockedBy = []) =>
      project.keep(
        join(list, `${id}.json`),
        JSON.stringify({ id, subject, description: "", status, blocks: [], blockedBy, owner: "me" }),
      );
    task("1", "Dig", "pending");
    task("2", "Fill", "pending", ["1"]);
    open(project, "--exit-rule", "tasks");
    project.hook("stop", SESSION, {}, { held: true });
    task("1", "Dig", "completed");
    task("2", "Fill", "deleted");
    task("3", "Rest", "in_progress");
    project.hook("stop", SESSION, {}, { held: true });
  },
};
