import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { answerHook } from "../src/engine/stop/answer-hook.ts";
import { called } from "./support/called.ts";
import { DEFAULT_HOST, recognise } from "../src/agents/hosts/hosts.ts";
import type * as VerificationPlan from "../src/core/loop/verification-plan.ts";
import { answerCall } from "../src/programs/hook/answer-call.ts";
import { answerIn } from "../src/programs/hook/engine.ts";
import type * as JsonFile from "../src/system/files/json-file.ts";
import { setLimits } from "../src/engine/opening/limits.ts";
import { openLoop, openAndLook } from "../src/engine/opening/open-loop.ts";
import type { Binding } from "../src/core/loop/loop.ts";
import type { PlainLoop } from "../src/engine/opening/asked-loop.ts";
import type { Journal } from "../src/storage/journal/journal.ts";
import type { Machine } from "../src/storage/loops/machine.ts";
import { createMachine } from "../src/storage/loops/machine.ts";
import { rehearsalOf } from "../src/engine/run/agent-choice.ts";
import { driveLoop } from "../src/engine/run/drive.ts";
import { NO_INTERRUPTS } from "../src/engine/run/run-context.ts";
import { GitCounter } from "./support/git-counter.ts";
import { sessionId } from "./support/loop-builders.ts";
import { Sandbox } from "./support/sandbox.ts";

/** How often a machine was asked to look at something. */
interface Looks {
  /** Tree digests. */
  trees: number;
  /** Journals that were loaded from their beginning or their snapshot. */
  loads: number;
  /** Records that were read again after a load. */
  records: number;
  appends: number;
}

/** The machine with its looks counted. */
function counted(machine: Machine): { readonly machine: Machine; readonly looks: Looks } {
  const looks: Looks = { trees: 0, loads: 0, records: 0, appends: 0 };
  const countedJournal = (journal: Journal): Journal => ({
    load: async (options) => {
      looks.loads += 1;
      return journal.load(options);
    },
    append: async (...args) => {
      looks.appends += 1;
      return journal.append(...args);
    },
    follow: (from) => {
      const follower = journal.follow(from);
      return {
        next: async (each) =>
          follower.next((record, cursor) => {
            looks.records += 1;
            each(record, cursor);
          }),
      };
    },
    remember: (known) => journal.remember(known),
    forget: () => journal.forget(),
  });
  return {
    looks,
    machine: {
      ...machine,
      git: {
        ...machine.git,
        readTree: async (root) => {
          looks.trees += 1;
          return machine.git.readTree(root);
        },
      },
      journals: (project) => {
        const journals = machine.journals(project);
        return { ...journals, of: (id) => countedJournal(journals.of(id)) };
      },
    },
  };
}

function project(): Sandbox {
  const sandbox = new Sandbox({ "state.txt": "broken\n" });
  sandbox.commitAll();
  return sandbox;
}

function asked(binding: Binding | null): PlainLoop {
  const command = { kind: "shell", line: "grep -q fixed state.txt" } as const;
  return {
    kind: "plain",
    spec: "Fix state.txt",
    criteria: [{ name: "fixed", check: { command, timeoutMs: 5_000, passEnv: [] } }],
    steps: [],
    mustNots: [],
    protects: [],
    exitRule: "criteria",
    mode: "loop",
    shape: "tool",
    limits: setLimits({ iterations: 50, stuck: 0, sameError: 0, noProgress: 40 }, {}, null),
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    binding,
  };
}

const SESSION = sessionId("session-one");

describe("a held stop", () => {
  async function stop(message: string): Promise<{ readonly git: readonly string[]; readonly looks: Looks }> {
    const sandbox = project();
    const plain = createMachine(sandbox.env, sandbox.root);
    await openAndLook(plain, asked({ session: SESSION, host: "claude-code" }));
    const payload = { hook_event_name: "Stop", session_id: SESSION, cwd: sandbox.root };
    const input = JSON.stringify({ ...payload, last_assistant_message: message });
    const call = { event: "stop", reply: "decision" } as const;
    // The first one fills what is remembered between two stops.
    await answerHook(plain, called(call, input));
    const { machine, looks } = counted(plain);
    const git = await new GitCounter().during(async () => {
      const { stdout } = await answerHook(machine, called(call, input));
      expect(JSON.parse(stdout)).toMatchObject({ decision: "block" });
    });
    return { git, looks };
  }

  test("looks once at everything, and starts one git process at most", async () => {
    const { git, looks } = await stop("Still at it.");
    expect(["", "add"]).toContain(git.join(" "));
    expect(looks).toEqual({ trees: 1, loads: 1, records: 0, appends: 1 });
  });

  test("looks at the files once more after a check, which may have changed them", async () => {
    const { git, looks } = await stop("---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---");
    expect(["", "add", "add add"]).toContain(git.join(" "));
    expect(looks).toEqual({ trees: 2, loads: 1, records: 0, appends: 1 });
  });
});

/** How often the plan of a loop was compared with its lock, and which of our own files were read. */
const trust = vi.hoisted(() => ({ comparisons: 0, reads: [] as string[] }));

vi.mock("../src/core/loop/verification-plan.ts", async (original) => {
  const { verificationPlanTexts } = await original<typeof VerificationPlan>();
  return {
    verificationPlanTexts: (plan: Parameters<typeof verificationPlanTexts>[0]) => {
      trust.comparisons += 1;
      return verificationPlanTexts(plan);
    },
  };
});

vi.mock("../src/system/files/json-file.ts", async (original) => {
  const files = await original<typeof JsonFile>();
  return {
    ...files,
    readJsonFile: (path: string, schema: Parameters<typeof files.readJsonFile>[1]) => {
      trust.reads.push(basename(path));
      return files.readJsonFile(path, schema);
    },
  };
});

test("a call of the hook is read, recognised, allowed and trusted once", async () => {
  const sandbox = project();
  await openLoop(createMachine(sandbox.env, sandbox.root), asked({ session: SESSION, host: "claude-code" }));
  const payload = { hook_event_name: "Stop", session_id: SESSION, cwd: sandbox.root };
  const input = JSON.stringify({ ...payload, last_assistant_message: "Still at it." });
  let switches = 0;
  const env = new Proxy(sandbox.env, {
    get: (variables, name: string) => {
      if (name === "LOOP_DISABLE") switches += 1;
      return variables[name];
    },
  });
  const parse = vi.spyOn(JSON, "parse");
  const recognises = vi.spyOn(DEFAULT_HOST, "recognises");
  Object.assign(trust, { comparisons: 0, reads: [] });
  const { stdout } = await answerCall(["stop"], {
    env,
    readInput: () => input,
    loadEngine: () => ({
      answer: async (call) =>
        answerIn({ env, cwd: sandbox.root, cli: resolve("dist/cli.js") }, recognise(call)),
    }),
  });
  const parsed = parse.mock.calls.filter(([text]) => text === input).length;
  parse.mockRestore();
  expect(JSON.parse(stdout)).toMatchObject({ decision: "block" });
  expect({
    parsed,
    recognised: recognises.mock.calls.length,
    switches,
    compared: trust.comparisons,
    locks: trust.reads.filter((name) => name === "opened.json").length,
  }).toEqual({ parsed: 1, recognised: 1, switches: 1, compared: 1, locks: 1 });
  recognises.mockRestore();
});

describe("an iteration of a run", () => {
  test("starts two git processes at most, checkpoint included, and loads no journal", async () => {
    const sandbox = project();
    const script = join(sandbox.home, "script.json");
    const turn = { do: [{ run: "date +%s%N > now.txt" }], say: "One more unit is done.", usd: 0.01 };
    writeFileSync(script, JSON.stringify({ repeat: true, turns: [turn] }));
    const { machine, looks } = counted(createMachine(sandbox.env, sandbox.root));
    const counter = new GitCounter();
    const seen: { readonly git: readonly string[]; readonly looks: Looks }[] = [];
    let before = { ...looks };
    await counter.during(async () => {
      const loop = await openAndLook(machine, { ...asked(null), limits: fewIterations(4) });
      await driveLoop(machine, loop, {
        choice: rehearsalOf(script),
        cli: resolve("dist/cli.js"),
        interrupts: NO_INTERRUPTS,
        person: null,
        tell: (news) => {
          if (news.type !== "judged") return;
          seen.push({ git: counter.started(), looks: difference(looks, before) });
          before = { ...looks };
        },
      });
    });
    expect(seen).toHaveLength(4);
    const { git = [], looks: looked } = seen.at(2) ?? {};
    // One, where what was changed a moment ago can be told from what changes now.
    expect(["add", "add add"]).toContain(git.join(" "));
    // What was appended is read once by the run, and once for those who watch it.
    expect(looked).toEqual({ trees: 2, loads: 0, records: 6, appends: 3 });
    expect(readFileSync(join(sandbox.root, "now.txt"), "utf8")).not.toBe("");
  });
});

function fewIterations(iterations: number): PlainLoop["limits"] {
  return setLimits({ iterations, stuck: 0, sameError: 0, noProgress: 40 }, {}, null);
}

function difference(now: Looks, before: Looks): Looks {
  return {
    trees: now.trees - before.trees,
    loads: now.loads - before.loads,
    records: now.records - before.records,
    appends: now.appends - before.appends,
  };
}
