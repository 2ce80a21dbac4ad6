import { join } from "node:path";

const SESSION = "session-1";

const STATE = {
  spec: "Make the tests pass",
  criteria: ["tests pass", "lint clean"],
  criteriaStatus: { "tests pass": false, "lint clean": true },
  exit_signal: false,
  steps: ["one", "two"],
  completedSteps: ["one"],
  remainingSteps: ["two"],
  iteration: 2,
  status: "in_progress",
  circuitBreaker: { stuckCount: 0, lastUnmet: "tests pass" },
};

/** A program that keeps a topic in a file, as `jwz` does. */
const JWZ = `#!/bin/sh
case "$1" in
  read) cat "$HOME/topic" ;;
  post) printf '%s\\n' "$4" >> "$HOME/topic" ;;
esac
`;

function idleFile(mode) {
  return `---\nactive: true\nmode: ${mode}\niteration: 1\nmax_iterations: 4\nowner: me\n---\n\nFix it all.\n`;
}

export const ADOPTION_SCENARIOS = {
  "adopted-state-file": (project) => {
    project.write({ ".loop/state.json": JSON.stringify(STATE) });
    project.hook("stop", SESSION, {}, { held: true, flags: ["--reply", "ok"] });
    const met = { "tests pass": true, "lint clean": true, "docs read": true };
    const criteria = Object.keys(met);
    project.write({
      ".loop/state.json": JSON.stringify({ ...STATE, criteria, criteriaStatus: met, exit_signal: true }),
    });
    project.hook("stop", SESSION, {}, { flags: ["--reply", "ok"] });
  },

  "adopted-idle-loop": (project) => {
    project.write({ ".claude/idle-loop.local.md": idleFile("loop") });
    const answered = { flags: ["--reply", "exit2"] };
    project.hook("stop", SESSION, {}, { ...answered, held: true });
    project.hook("stop", SESSION, { last_assistant_message: "<loop-done>COMPLETE</loop-done>" }, answered);
  },

  "adopted-jwz": (project) => {
    project.keep(join(project.home, "bin", "jwz"), JWZ);
    const updated_at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    const stack = [
      { mode: "loop", iter: 1, max: 5 },
      { mode: "issue", iter: 0, max: 3, issue_id: "fix-it" },
    ];
    const message = { schema: 1, run_id: "run-1", updated_at, event: "STATE", stack };
    project.keep(join(project.home, "topic"), `${JSON.stringify(message)}\n`);
    project.hook("stop", SESSION, {}, { held: true, flags: ["--reply", "exit2"] });
    const stuck = { last_assistant_message: "<loop-done>STUCK</loop-done>" };
    project.hook("stop", SESSION, stuck, { flags: ["--reply", "exit2"] });
  },

  "adopted-task-list": (project) => {
    const task = {
      id: "1",
      subject: "Dig",
      description: "",
      status: "pending",
      blocks: [],
      blockedBy: [],
      owner: "me",
    };
    project.keep(join(project.home, ".claude", "tasks", "ours", "1.json"), JSON.stringify(task));
    const env = { CLAUDE_CODE_TASK_LIST_ID: "ours" };
    project.hook("stop", SESSION, {}, { held: true, flags: ["--reply", "ok"], env });
  },
};
