import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FINISHES, Stage, saying } from "./support/driven.ts";
import type { PlayedTurn } from "./support/driven.ts";
import { PlanStage, plan, writes } from "./support/plan-stage.ts";
import { heldReason, toldOf } from "./support/sandbox.ts";

const ASKS: PlayedTurn = { say: saying("Which port?", "BLOCKED: which port should it listen on?") };
const ASKED = "which port should it listen on?";

describe("an answer to a blocked agent", () => {
  test("is in its next prompt, once, and in what is shown of the loop", () => {
    const stage = new Stage();
    const paused = stage.run([ASKS, { say: saying("On it.", "EXIT_SIGNAL: false") }, FINISHES]);
    expect(paused.code).toBe(4);
    expect(paused.out).toContain('Answer: loop continue --say "YOUR ANSWER"');

    expect(stage.loop("continue", "--say", "the port is 8080").code).toBe(0);
    expect(stage.prompt("2-1")).toContain("# The user says\n\n> the port is 8080\n");
    expect(stage.prompt("3-1")).not.toContain("8080");
    expect(stage.eventsOf("words.told")).toMatchObject([{ text: "the port is 8080", task: null }]);
    expect(stage.status()[0]?.words).toEqual([{ text: "the port is 8080", task: null, heard: true }]);
    expect(stage.loop("log").out).toMatch(/words\.told +the port is 8080/);
    expect(stage.loop("status", "--all").out).toContain("told: the port is 8080");
    expect(stage.read(".loop/summary.md")).toContain("## Told by a person\n\n- the port is 8080");
  });

  test("is not lost with a run that is killed in the turn that heard it, and not repeated after the next", async () => {
    const stage = new Stage();
    stage.run([ASKS]);
    stage.loop("tell", "the port is 8080");
    const works = { do: [{ run: stage.meet("working") }], say: saying("Not yet.", "EXIT_SIGNAL: false") };
    const script = stage.script([works, works, FINISHES]);
    const run = stage.drive(["continue", "--script", script]);
    await stage.met("working");
    process.kill(run.pid, "SIGKILL");
    await run.ended();
    stage.letGo("working");

    expect(stage.loop("continue", "--script", script).code).toBe(0);
    const heard = stage.eventsOf("words.heard").map(({ turn }) => turn ?? "");
    expect(heard).toHaveLength(2);
    const hearing = stage.turns().filter((turn) => stage.prompt(turn).includes("> the port is 8080"));
    expect(hearing).toEqual(heard);
    expect(stage.status()[0]).toMatchObject({ phase: "completed", words: [{ heard: true }] });
  });

  test("is heard whole, and each once, when several people speak at once", async () => {
    const stage = new Stage();
    stage.run([ASKS, FINISHES]);
    const said = ["one", "two", "three", "four"].map((word) => `it is ${word}`);
    await stage.loopsAtOnce(said.map((text) => ["tell", text]));
    expect(stage.loop("continue").code).toBe(0);
    for (const text of said) expect(stage.prompt("2-1").split(`> ${text}\n`)).toHaveLength(2);
  });

  test("is a person's: an agent is refused, too long a text, and an empty one, and secrets are removed", () => {
    const stage = new Stage();
    const { id } = stage.start("s1", "Write done.txt", "-c", "done=test -f done.txt");
    const refused = stage.agentLoop("s1", "tell", "all is well");
    expect(refused.err).toContain("may only be run by the user");
    expect(stage.eventsOf("loosening.refused")).toMatchObject([{ what: "loop tell" }]);
    expect(stage.loop("tell", "x".repeat(5_000)).err).toContain("write it into a file");
    expect(stage.loop("tell", " ").err).toContain("Say something");
    stage.loopWith({ env: { API_TOKEN: "sesame-open-4711" } }, "tell", "it is sesame-open-4711");
    expect(readFileSync(stage.journal(id), "utf8")).not.toContain("sesame-open-4711");
  });
});

describe("words for a loop in a session", () => {
  test("are in the next hold, once; and a claim doesn't end the loop before they are heard", () => {
    const stage = new Stage({ "done.txt": "done\n" });
    stage.start("s1", "Write done.txt", "-c", "done=test -f done.txt", "--shape", "tool", "--proof", "off");
    stage.agentLoop("s1", "done");
    expect(stage.loop("tell", "write it in upper case").out).toContain("when it stops next");
    expect(heldReason(stage.stop("s1"))).toContain("The user says:\n> write it in upper case\n");
    stage.agentLoop("s1", "done");
    expect(toldOf(stage.stop("s1"))).toContain("✓ done");
    expect(stage.status()[0]?.phase).toBe("completed");
  });

  test("are those that the user typed after /loop:continue, not what the agent makes of them", () => {
    const stage = new Stage();
    stage.start("s1", "Write done.txt", "-c", "done=test -f done.txt", "--shape", "tool");
    stage.agentLoop("s1", "blocked", ASKED);
    const typed = { prompt: "/loop:continue --iterations=2 use 8080 --force or not", prompt_id: "p1" };
    stage.event("user-prompt-submit", "s1", typed);
    expect(stage.agentLoop("s1", "continue", "--say", "whatever").err).toContain("may only be run");
    stage.event("user-prompt-submit", "s1", { ...typed, prompt_id: "p2" });
    expect(stage.agentLoop("s1", "continue", "--iterations=2").code).toBe(0);
    expect(stage.status()[0]?.words).toEqual([{ text: "use 8080 --force or not", task: null, heard: true }]);
    expect(heldReason(stage.stop("s1"))).not.toContain("8080");
  });
});

describe("words for a plan", () => {
  test("reach the attempt that runs in its next turn, and the next attempt of that task only", async () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt", "T-001"]));
    const run = stage.drive(
      stage.working({
        "T-001-1": [
          { do: [{ run: stage.meet("working") }], say: "One more turn." },
          { say: saying("Which?", `BLOCKED: ${ASKED}`) },
        ],
        "T-001-2": [writes("one.txt")],
        "T-002": [writes("two.txt")],
      }),
    );
    await stage.met("working");
    const told = stage.loop("tell", "T-001", "keep the old endpoint");
    expect(told.out).toContain("told in the next turn: T-001");
    stage.letGo("working");
    const paused = await run.ended();
    expect(paused.out).toContain(ASKED);
    expect(stage.promptOf("T-001", 1, "2-1")).toContain("> keep the old endpoint");

    expect(stage.loop("continue", "--say", "the port is 8080").code).toBe(0);
    expect(stage.promptOf("T-001", 2)).toMatch(/> keep the old endpoint\n\n> the port is 8080/);
    expect(stage.promptOf("T-002", 1)).not.toContain("The user says");
    expect(stage.loop("tell", "T-001", "too late").err).toContain("No loop is open");
  });
});
