import { until } from "./patience.ts";
import { PlanStage, type Scripts } from "./plan-stage.ts";

/** What a model says to a question, as the script of its turn. */
export function says(answer: unknown, run?: string): Scripts[string] {
  const does = run === undefined ? {} : { do: [{ run }] };
  return [{ ...does, say: JSON.stringify(answer), usd: 0.01 }];
}

export const SCORES = { scores: [{ dimension: "scope", points: 2, quote: "done.txt" }] };

export const READING = {
  choices: [],
  deliverable: "A file done.txt",
  firstFact: "done.txt exists",
  hardestConstraint: "none stated",
};

export const SHAPE = {
  kind: "build",
  aspects: ["files"],
  criteria: [{ name: "done.txt exists", quote: "Write done.txt", command: "test -f done.txt" }],
  decisions: ["One line is enough."],
};

export const TASKS = {
  tasks: [
    {
      id: "T-001",
      subject: "Write done.txt",
      description: "In the root.",
      verify: "npm test",
      blockedBy: [],
      files: ["done.txt"],
      estimate: null,
    },
  ],
};

/** What each question is answered with, by the names of the scripts. */
export const ANSWERS = {
  score: says(SCORES),
  intent: says(READING),
  shape: says(SHAPE),
  decompose: says(TASKS),
};

export const SPEC = "Write done.txt until npm test passes, without changing docs/";

/** A repository in which rehearsals bring a spec to a plan and work on it. */
export class WorkflowStage extends PlanStage {
  constructor(files: { readonly [path: string]: string } = {}) {
    super("", {
      "package.json": JSON.stringify({ scripts: { test: "test -f done.txt" } }),
      "docs/a.md": "Docs\n",
      ...files,
    });
  }

  /** The command line that runs a spec as a workflow with these rehearsals. */
  staging(spec: string, scripts: Scripts, ...args: readonly string[]): readonly string[] {
    return ["run", spec, "--workflow", ...this.rehearsing(scripts), ...args];
  }

  /** By the first event of a workflow, which may have no plan yet. */
  override get workflows(): readonly string[] {
    return this.staged;
  }

  /** Until there is a plan; the work on it is then cut off. */
  async untilPlanned(args: readonly string[]): Promise<string> {
    const run = this.drive(args);
    await until(() => run.isOver || this.#hasPlan(), "there is a plan");
    const isEarly = run.isOver;
    run.child.kill("SIGKILL");
    const { out, err } = await run.ended();
    if (isEarly && !this.#hasPlan()) throw new Error(`it ended without a plan:\n${out}${err}`);
    return out;
  }

  #hasPlan(): boolean {
    return this.workflows.some((id) => this.eventsIn(id).some(({ type }) => type === "plan.adopted"));
  }
}
