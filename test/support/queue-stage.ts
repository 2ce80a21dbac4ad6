import { randomUUID } from "node:crypto";
import { setLimits } from "../../src/engine/opening/limits.ts";
import { openLoop } from "../../src/engine/opening/open-loop.ts";
import type { LoopEvent } from "../../src/core/events/event.ts";
import { createLoopId } from "../../src/core/loop/id.ts";
import type { SessionId } from "../../src/core/loop/id.ts";
import type { Attempt, Workflow } from "../../src/core/plan/workflow.ts";
import { lastAttempt } from "../../src/core/plan/workflow.ts";
import { createMachine } from "../../src/storage/loops/machine.ts";
import { NO_INTERRUPTS } from "../../src/engine/run/run-context.ts";
import { gitWorkspace } from "../../src/engine/plan/git-workspace.ts";
import { beginMerge, integrate } from "../../src/engine/plan/merge-queue.ts";
import type { WorkflowContext } from "../../src/engine/plan/take-workflow.ts";
import { workflowOf } from "../../src/engine/plan/take-workflow.ts";
import type { WorkflowNews } from "../../src/views/news/news.ts";
import type { Workspace } from "../../src/engine/plan/workspace.ts";
import { runBegan } from "./asking-loop.ts";
import { GitWorld } from "./git-world.ts";
import { shellCheck } from "./loop-builders.ts";
import { adopted, planned, started } from "./workflow-builders.ts";

/** A plan in a repository that this process works on, with results that no agent made. */
export class QueueStage {
  readonly world: GitWorld;
  readonly news: WorkflowNews[] = [];
  readonly context: WorkflowContext;

  private constructor(world: GitWorld, context: Omit<WorkflowContext, "tell">) {
    this.world = world;
    this.context = { ...context, tell: (news) => void this.news.push(news) };
  }

  /** Tasks by id, each with its check. */
  static async of(
    tasks: { readonly [id: string]: string },
    files: { readonly [path: string]: string } = { "README.md": "A project\n" },
    { isSession = false } = {},
  ): Promise<QueueStage> {
    const world = new GitWorld(files);
    const machine = createMachine(world.env, world.root);
    const run = `run-${randomUUID()}` as SessionId;
    const { id, live } = await openLoop(machine, {
      kind: "plan",
      spec: "A plan",
      mustNots: [],
      protects: [],
      mode: "loop",
      shape: "tool",
      limits: setLimits({}, {}, null),
      proof: "standard",
      proofBudgetMs: null,
      mayChange: [],
      binding: null,
      plan: adopted(
        Object.entries(tasks).map(([task, line]) => planned(task, [], { check: shellCheck(line) })),
      ),
    });
    const name = `loop/${id}`;
    await live.record(() => [
      runBegan(run),
      { type: "branch.begun", name, from: world.first, userBranch: "main" },
    ]);
    world.git("branch", name, world.first);
    const workspace = gitWorkspace({
      machine,
      project: live.project,
      loop: id,
      folder: "",
      how: { setup: null, copies: [], diskBytes: 20e9 },
    });
    return new QueueStage(world, {
      machine,
      live,
      run,
      isSession,
      asksUser: false,
      isFirstRun: false,
      strangers: () => [],
      agents: ["rehearsal"],
      areCapped: true,
      parallel: () => null,
      deliversDone: false,
      interrupts: NO_INTERRUPTS,
      executor: { runAttempt: async () => Promise.reject(new Error("nobody works on tasks here")) },
      workspace,
      asker: { ask: async () => ({ type: "unanswered", why: "nobody is there", agent: null }) },
      goesOn: null,
      mirror: { follow: () => {}, catchUp: async () => {} },
      decide: async () => null,
      overlap: () => false,
    });
  }

  get workflow(): Workflow {
    return workflowOf(this.context.live.loop);
  }

  get tip(): string {
    return this.world.git("rev-parse", this.workflow.branch?.name ?? "").trim();
  }

  get workspace(): Workspace {
    return this.context.workspace;
  }

  async record(...events: readonly LoopEvent[]): Promise<void> {
    await this.context.live.record(() => events);
  }

  /** An attempt that runs, by nobody; its loop isn't opened. */
  async begins(
    task: string,
    number = 1,
    reserved: Partial<Pick<Attempt, "reservedUsd" | "reservedTokens">> = {},
  ): Promise<Attempt> {
    const loop = createLoopId(`attempt at ${task}`, `a00${number}`);
    const worktree = this.workspace.pathOf(task, number);
    const base = this.workflow.branch?.tip ?? null;
    await this.record(started(task, number, { loop, base, worktree, ...reserved }));
    const attempt = lastAttempt(this.workflow, task);
    if (attempt === null) throw new Error(`nobody began ${task}`);
    return attempt;
  }

  /** A result with these files, which its own checks have shown to be good. */
  async finishes(task: string, files: { readonly [path: string]: string | null }): Promise<void> {
    const { number, base } = await this.begins(task);
    const commit = this.world.commitOn(base ?? "", files);
    await this.record({ type: "attempt.finished", task, number, commit, confidence: "verified", doubts: [] });
  }

  async merges(...tasks: readonly string[]): Promise<void> {
    const merge = await beginMerge(this.context, tasks);
    if (merge === null) throw new Error("no merge began");
    await integrate(this.context, merge, new AbortController().signal);
  }

  /** What became of each task's last attempt. */
  states(): readonly string[] {
    return this.workflow.plan.tasks.map(({ id }) => {
      const state = lastAttempt(this.workflow, id)?.state;
      return `${id} ${state?.type === "set-back" ? state.setback.kind : (state?.type ?? "untried")}`;
    });
  }
}
