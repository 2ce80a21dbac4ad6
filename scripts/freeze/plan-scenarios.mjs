import { createHash } from "node:crypto";
import { join } from "node:path";

const SAID = "Words.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";
const GIVES_UP = Array.from({ length: 4 }, () => ({ say: "I cannot do it.", usd: 0 }));

const PLAN = `# Write four files

### T-001: Write one.txt
verify: test -f one.txt && ! test -f odd.txt

### T-002: Write two.txt
verify: test -f two.txt

### T-003: Write three.txt
verify: test -f three.txt

### T-004: Write four.txt
blocked by: T-003
verify: test -f four.txt
`;

function writes(path, ...before) {
  return { do: [...before, { write: path, text: `${path}\n` }], say: SAID, usd: 0.01 };
}

const UNTIL_MERGED = {
  run: "until git log --branches --format=%s | grep -q '^T-001:'; do sleep 0.05; done",
};

/** By attempt, or by task for all of its attempts. */
const SCRIPTS = {
  "T-001": [writes("one.txt")],
  // Passes alone, and fails once the first task is merged.
  "T-002-1": [writes("two.txt", { write: "odd.txt", text: "odd\n" }, UNTIL_MERGED)],
  "T-002-2": [writes("two.txt", { run: "rm -f odd.txt" })],
  "T-003": [
    { trouble: { kind: "usage-limit", resetsInMs: 300, detail: "5-hour limit reached" }, usd: 0.01 },
    writes("three.txt"),
  ],
  "T-004-1": GIVES_UP,
  "T-004-2": GIVES_UP,
  "T-004-3": [writes("four.txt")],
};

export const PLAN_SCENARIOS = {
  /** One task is red together with another one, and one is given up and tried again. */
  "plan-completed": (project) => {
    const plan = project.keep(join(project.home, "PLAN.md"), PLAN);
    const scripts = join(project.home, "scripts");
    for (const [name, turns] of Object.entries(SCRIPTS))
      project.keep(join(scripts, `${name}.json`), JSON.stringify({ turns }));
    const digest = createHash("sha256").update(PLAN).digest("hex");
    const agent = ["--agent", "rehearsal", "--script", scripts];
    project.loop(["run", "--plan", plan, "--plan-digest", digest, "--iterations", "2", ...agent], {
      code: 3,
    });
    project.loop(["continue", "--iterations", "1"]);
  },
};
