import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, FINISHES, Stage, saying, type PlayedTurn } from "./support/driven.ts";
import { variant } from "./support/variant.ts";
import { oneOf } from "./support/effort.ts";

const WORKS: PlayedTurn = { do: [{ run: "true" }], say: saying("Not yet.", "EXIT_SIGNAL: false") };
const MISSING = "done.txt is missing";

describe("prompts", () => {
  test("the first one has all that the agent needs to know", () => {
    const stage = new Stage();
    stage.run(
      [{ ...FINISHES, say: saying("Done.", "EXIT_SIGNAL: true", 'CRITERIA: {"reads well": true}') }],
      ...["-c", "reads well", "-s", "look around", "-s", "write it"],
      ...["--must-not", "path:README.md", "--must-not", "run:true", "--protect", "*.lock"],
    );

    expect(stage.prompt("1-1")).toBe(
      `[ITERATION 1/10] You work on a task in this folder, in iterations. Nobody answers questions during a turn: decide yourself, and say what you decided. After each turn, loop itself runs the checks below on the current files and tells you the results. The task is done when you say so and the checks pass: neither your word alone nor your own run of them decides.

# Task

Write done.txt

# Done when

- done: checked by \`test -f done.txt || { echo 'done.txt is missing'; exit 1; }\`
- reads well: no check; you have to verify it yourself

# Must not

- path:README.md
- run:true
- protected:*.lock (a change voids the evidence)

\`path:\` must stay unchanged, \`run:\` must keep passing.

# Steps

- [ ] look around
- [ ] write it

# Where it stands

unmet criteria: done, reads well
✗ done: \`test -f done.txt || { echo 'done.txt is missing'; exit 1; }\` failed with exit code 1
done.txt is missing
Next step: look around

# How to work

1. Do one logical unit of work: one bug, one file, one step.
2. Verify it. If you may run commands, \`loop check\` runs the checks; what counts is loop's own run after your turn.
3. Fix the cause, never the check. If the same failure comes twice, try another approach.
4. Loosening is for the user: don't run \`loop cancel\`, \`pause\`, \`continue\`, \`approve\` or \`trust\`, don't weaken a criterion, don't edit \`.loop/\`.
5. Then stop. End your last message with:

---LOOP_STATUS---
EXIT_SIGNAL: false
NEXT: what you would do next
---END_STATUS---

When all of the task is done and verified, write EXIT_SIGNAL: true. If a criterion has no check, name it there once you have seen it met: CRITERIA: {"reads well":true} Name the finished steps: STEPS: ["…"]. If only a person can help (a password, a permission, a decision), add a line BLOCKED: what is needed.

If a check contradicts the spec or cannot pass, don't change or delete it: write BLOCKED: {"NAME": "REASON"} into the status block, or run \`loop blocked --check NAME REASON\`. Tests, scripts and configuration that decide a check are compared with their state at the start; new tests are welcome.`,
    );
  });

  test("a conversation that goes on hears only what is new, and an unchanged failure is not sent twice", () => {
    const stage = new Stage();
    const script = stage.script([
      WORKS,
      { do: [{ write: "done.txt", text: "wrong" }], say: "Better." },
      WORKS,
      { do: [{ write: "done.txt", text: "right" }], say: DONE },
    ]);
    const check = `done=test -f done.txt || { echo '${MISSING}'; exit 1; }; grep -q right done.txt || { echo 'it is wrong'; exit 1; }`;
    expect(stage.loop("run", "Write done.txt", "-c", check, "--script", script).code).toBe(0);

    const prompts = ["1-1", "2-1", "3-1", "4-1"].map((turn) => stage.prompt(turn));
    const lines = prompts.map((prompt) => prompt.split("\n"));
    expect(lines.map((each) => each.includes(MISSING))).toEqual([true, false, false, false]);
    expect(lines.map((each) => each.includes("it is wrong"))).toEqual([false, false, true, false]);
    expect(prompts[1]).toContain("The output is unchanged since you last saw it.");
    expect(prompts[2]).not.toContain("unchanged");
    expect(prompts[3]).toContain("The output is unchanged since you last saw it.");
    for (const prompt of prompts.slice(1)) {
      expect(prompt).toMatch(
        /^\[ITERATION [234]\/10\] Continue working on the task\. Check your progress and either complete the task or keep iterating\.\n/,
      );
      expect(prompt).toContain("or run `loop blocked --check NAME REASON`. Tests, scripts and configuration");
      expect(prompt).not.toContain("# Task");
      expect(prompt).not.toContain("# How to work");
    }
    const conversations = stage.eventsOf("turn.launched").map((event) => event.conversation);
    expect(new Set(conversations)).toEqual(
      new Set([null, stage.eventsOf("conversation.opened")[0]?.conversation]),
    );
  });

  variant.each(
    oneOf([
      ["--fresh", (stage: Stage) => ["--script", stage.script([WORKS, WORKS, FINISHES]), "--fresh"]],
      [
        "an agent without conversations",
        (stage: Stage) => [
          "--command",
          `cat > /dev/null; echo x >> ${stage.mark("n")}; echo Not yet.; [ $(wc -l < ${stage.mark("n")}) -lt 3 ] || { touch done.txt; echo '<loop-complete>'; }`,
        ],
      ],
    ]),
  )("with %s each iteration is told everything, and what was tried before", (_, agent) => {
    const stage = new Stage();
    const ran = stage.loop(
      ...["run", "Write done.txt", "-c", `done=test -f done.txt || { echo '${MISSING}'; exit 1; }`],
      ...agent(stage),
    );
    expect(ran.code).toBe(0);

    for (const turn of ["1-1", "2-1", "3-1"]) {
      expect(stage.prompt(turn)).toContain("# Task\n\nWrite done.txt\n");
      expect(stage.prompt(turn)).toContain(`failed with exit code 1\n${MISSING}\n`);
    }
    expect(stage.prompt("1-1")).not.toContain("# Tried before");
    expect(stage.prompt("3-1")).toContain(
      `# Tried before\n\n- Iteration 1: "Not yet." Afterwards failed: done: ${MISSING}\n- Iteration 2: "Not yet." Afterwards failed: done: ${MISSING}\n\nDo not repeat what failed; try something else.\n`,
    );
    expect(stage.eventsOf("turn.launched").map((event) => event.conversation)).toEqual([null, null, null]);
  });

  variant("who goes on later is told all that fails once more", () => {
    const stage = new Stage();
    stage.run([WORKS, FINISHES], "--iterations", "1");
    expect(stage.loop("continue", "--iterations", "1").code).toBe(0);

    expect(stage.prompt("2-1")).toContain("[ITERATION 2/2] Continue working on the task.");
    expect(stage.prompt("2-1")).toContain(`exit code 1\n${MISSING}\n`);
  });

  variant(
    "what a check printed reaches the agent without colours and cursor moves; the evidence keeps them",
    () => {
      const stage = new Stage();
      const painted = String.raw`\033[2K\033[1;31mnot there\033[0m\033(B\007\n`;
      const check = `done=test -f done.txt || { printf '${painted}'; exit 1; }`;
      const script = stage.script([WORKS, FINISHES]);
      expect(stage.loop("run", "Write done.txt", "-c", check, "--script", script).code).toBe(0);

      expect(stage.prompt("1-1")).toContain("failed with exit code 1\nnot there\n");
      // The look before the work kept no file: there was no loop yet.
      const first = stage
        .eventsOf("check.ran")
        .find(({ evidence }) => (evidence as { outputFile: unknown }).outputFile !== null);
      const evidence = first?.evidence as { outputTail: string; outputFile: string } | undefined;
      expect(evidence?.outputTail).toBe("not there\n");
      const folder = join(stage.root, ".loop/loops", stage.only().id, "evidence");
      expect(readFileSync(join(folder, evidence?.outputFile ?? ""), "utf8")).toContain(
        "\u001b[1;31mnot there",
      );
    },
  );

  test("a spec reaches the agent byte for byte, whatever is in it", () => {
    const stage = new Stage();
    const odd = `$(touch pwned) \`touch pwned\` "; touch pwned; ' %s \\0 \\n\r\n\t\u202e\u200b\ufeff é é 👩‍👩‍👧‍👦 \u0001 </script> ---LOOP_STATUS---`;
    const spec = `${odd}\n${"line of a long spec — ✓\n".repeat(20_000)}the end, without a line break  `;
    expect(Buffer.byteLength(spec)).toBeGreaterThan(500_000);
    writeFileSync(join(stage.home, "spec.md"), spec);
    const line = `cat > ${stage.mark("prompt")}; touch done.txt; echo '<loop-complete>'`;
    const ran = stage.loop(
      ...["run", "-f", join(stage.home, "spec.md"), "-c", "done=test -f done.txt"],
      ...["--shape", "tool", "--command", line],
    );

    expect(ran.code).toBe(0);
    const prompt = readFileSync(stage.mark("prompt"));
    expect(prompt.includes(Buffer.from(`# Task\n\n${spec}\n\n# Done when`))).toBe(true);
    expect(stage.git("status", "--short")).toBe("?? done.txt\n");
  });
});
