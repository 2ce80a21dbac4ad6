const CHECK = "done=test -f done.txt || { echo 'done.txt is missing'; exit 1; }";
const SAID = (signal) => `Words.\n---LOOP_STATUS---\nEXIT_SIGNAL: ${signal}\n---END_STATUS---`;
const WORKS = {
  do: [{ write: "half.txt", text: "half\n" }],
  say: SAID(false),
  usd: 0.02,
  tokens: { input: 100, output: 10 },
  model: "made-up-1",
};
const FINISHES = { ...WORKS, do: [{ write: "done.txt", text: "done\n" }], say: SAID(true) };

function asked(project, turns) {
  return ["run", "Write done.txt", "-c", CHECK, "--agent", "rehearsal", "--script", project.script(turns)];
}

export const RUN_SCENARIOS = {
  "run-completed": (project) => project.loop([...asked(project, [WORKS, FINISHES]), "-s", "write it"]),

  "run-trouble": (project) =>
    project.loop(
      asked(project, [
        { ...WORKS, trouble: { kind: "transient", detail: "overloaded" } },
        { trouble: { kind: "usage-limit", resetsInMs: 300, detail: "5-hour limit reached" }, usd: 0.01 },
        WORKS,
        { trouble: { kind: "lost-conversation", detail: "no such session" } },
        FINISHES,
      ]),
    ),

  /** Paused by trouble, undone by its user, continued, and finished by another run. */
  "run-undone": (project) => {
    const blocked = { ...WORKS, trouble: { kind: "blocking", detail: "not logged in" } };
    project.loop(asked(project, [WORKS, blocked, FINISHES]), { code: 4 });
    project.loop(["undo", "1", "--yes"]);
    project.loop(["continue", "--iterations", "3"]);
    project.loop(["undo", "--yes"]);
  },

  "run-interrupted": async (project) => {
    const { child, ended } = project.drive(
      asked(project, [WORKS, { ...WORKS, do: [{ run: project.lingering }] }]),
    );
    await project.reached();
    child.kill("SIGINT");
    // The first one waits for the turn, the second does not; sent too soon, the two are one.
    const again = setInterval(() => child.kill("SIGINT"), 500);
    await ended;
    clearInterval(again);
  },

  /** Killed in the middle of a turn: it is open, and stays so. */
  "run-killed": async (project) => {
    const { child, ended } = project.drive(
      asked(project, [WORKS, { ...WORKS, do: [{ run: project.lingering }] }]),
    );
    await project.reached();
    child.kill("SIGKILL");
    await ended;
  },

  "run-left": async (project) => {
    await RUN_SCENARIOS["run-killed"](project);
    project.loop(["pause"]);
    project.loop(["cancel"]);
  },

  "run-over-budget": (project) =>
    project.loop([...asked(project, [{ ...WORKS, usd: 2 }]), "--budget", "1"], { code: 2 }),
};
