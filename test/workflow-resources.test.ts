import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

/**
 * Takes a moment with the database, and notes whether somebody else was there: two at once would find the folder. `mkdir` is one step.
 */
function alone(stage: PlanStage): string {
  const [folder, log] = [join(stage.home, "db"), join(stage.home, "log")];
  return `mkdir ${folder} && sleep 0.05 && rmdir ${folder} && echo "$LOOP_SLOT" >> ${log} || { echo met >> ${log}; exit 1; }`;
}

function linesOf(stage: PlanStage): readonly string[] {
  const log = join(stage.home, "log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

/** The processes that the database belongs to now. */
function holdersIn(stage: PlanStage): readonly unknown[] {
  const resources = join(stage.home, "state", "loopwright", "resources");
  return readdirSync(resources, { recursive: true, encoding: "utf8" })
    .filter((path) => /\/db\/1\/\d+$/.test(path))
    .map((path) => (JSON.parse(readFileSync(join(resources, path), "utf8")) as { pid?: number } | null)?.pid);
}

const CONFIG = { "loop.config.json": JSON.stringify({ resources: { db: 1 } }), ".gitignore": "deps\n" };
const NAMES = ["one", "two"];
const WRITES = Object.fromEntries(NAMES.map((name, at) => [`T-00${at + 1}`, [writes(`${name}.txt`)]]));

function stageWithDatabase(): PlanStage {
  const stage = new PlanStage("", CONFIG);
  const verify = (name: string): string => `${alone(stage)}; test -f ${name}.txt`;
  stage.write({
    "../home/PLAN.md": plan(...NAMES.map((name, at) => [`T-00${at + 1}`, verify(name)] as const)),
  });
  return stage;
}

describe("resources of a project", () => {
  variant("are used by one command at a time: checks of attempts, of merges and of proofs, and setup", () => {
    const stage = stageWithDatabase();
    expectCode(stage.loop("trust", "--yes"), 0);
    const setup = `${alone(stage)}; touch deps`;
    expectCode(stage.work(WRITES, "--parallel", "2", "--setup", setup), 0);
    expect(stage.tasksOn("master")).toHaveLength(2);
    expect(linesOf(stage).filter((line) => line === "met")).toEqual([]);
    // Two attempts and the queue, each with a slot of its own.
    expect([...new Set(linesOf(stage))].toSorted()).toEqual(["0", "1", "2"]);
  });

  test.runIf(isFullEffort)("also by two runs in one repository at once, which share no slot", async () => {
    const stage = stageWithDatabase();
    expectCode(stage.loop("trust", "--yes"), 0);
    const slots = join(stage.home, "slots");
    // Each attempt waits until all of both runs are there, so they do run at once.
    const meeting = `echo "$LOOP_SLOT $LOOP_PORT_BASE" >> ${slots}; until [ "$(wc -l < ${slots})" -ge 4 ]; do sleep 0.02; done`;
    const scripts = Object.fromEntries(
      NAMES.map((name, at) => [
        `T-00${at + 1}`,
        [{ ...writes(`${name}.txt`), do: [{ run: meeting }, { write: `${name}.txt`, text: "x\n" }] }],
      ]),
    );
    const args = stage.working(scripts, "--parallel", "2");
    const [one, other] = [stage.drive(args), stage.drive(args)];
    expectCode(await one.ended(), 0);
    expectCode(await other.ended(), 0);
    expect(linesOf(stage).filter((line) => line === "met")).toEqual([]);
    const taken = readFileSync(slots, "utf8").trim().split("\n");
    expect(new Set(taken).size).toBe(4);
  });

  test.runIf(isFullEffort)("of a config that nobody approved are not waited for", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]), CONFIG);
    const ran = stage.work(WRITES);
    expectCode(ran, 0);
    expect(ran.err).toContain("not approved");
    expect(existsSync(join(stage.home, "state", "loopwright", "resources"))).toBe(false);
  });

  test.runIf(isFullEffort)("are free again after the run that held them was killed", async () => {
    const stage = new PlanStage("", CONFIG);
    const holds = stage.meet("db");
    stage.write({ "../home/PLAN.md": plan(["T-001", `${holds}; test -f one.txt`]) });
    expectCode(stage.loop("trust", "--yes"), 0);
    const killed = stage.drive(stage.working(WRITES));
    await stage.met("db");
    expect(holdersIn(stage)).toEqual([killed.pid]);
    // A second run waits for the first one, and doesn't reach its check before that is gone.
    const second = stage.drive(stage.working(WRITES));
    await second.printed("Trying the setup and every check");
    expect(stage.eventsIn(stage.workflows[0] ?? "").some(({ type }) => type === "attempt.started")).toBe(
      false,
    );
    killed.child.kill("SIGKILL");
    await killed.ended();
    stage.letGo("db");
    expectCode(await second.ended(), 0);
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
  });

  test.each([
    [{ resources: { db: 0 } }, "resources.db should be"],
    [{ resources: { "../db": 1 } }, "should be named with letters, digits and dashes"],
    [{ resources: { db: "one" } }, "resources.db should be"],
  ])("are named and counted in the config: %j is refused", (config, words) => {
    const stage = new PlanStage("", { "loop.config.json": JSON.stringify(config) });
    const { err, out, code } = stage.loop("trust", "--yes");
    expect({ code, said: `${out}${err}`.includes(words) }).toEqual({ code: 1, said: true });
  });
});
