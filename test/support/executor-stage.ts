import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../src/core/loop/criterion.ts";
import { DEFAULT_LIMITS } from "../../src/core/loop/limits.ts";
import { createLoopId } from "../../src/core/loop/id.ts";
import type { RunNews } from "../../src/views/news/news.ts";
import type {
  AttemptEnvelope,
  AttemptResult,
  AttemptSignals,
  Executor,
} from "../../src/engine/plan/executor.ts";
import { CLI, Stage } from "./driven.ts";
import type { PlayedTurn } from "./driven.ts";
import { playedExecutor } from "./played-executor.ts";
import type { PlayedPlace } from "./played-executor.ts";

/** A repository in which an executor makes attempts, without a workflow around them. */
export class ExecutorStage extends Stage {
  readonly executor: Executor;
  readonly place: PlayedPlace;
  readonly news: RunNews[] = [];

  constructor(make: (place: PlayedPlace) => Executor, env: NodeJS.ProcessEnv = {}) {
    super();
    const scripts = join(this.home, "scripts");
    mkdirSync(scripts);
    const workflow = createLoopId("A plan", "1abc");
    this.place = { root: this.root, env: { ...this.env, ...env }, cli: CLI, scripts, workflow };
    this.executor = make(this.place);
  }

  /** An attempt at a task that is done when its file is there, and what its agent plays. */
  envelope(task: string, turns: readonly PlayedTurn[], part: Partial<AttemptEnvelope> = {}): AttemptEnvelope {
    const { workflow, scripts } = this.place;
    writeFileSync(join(scripts, `${task}.json`), JSON.stringify({ turns }));
    return {
      version: 1,
      key: `${workflow}/${task}/1`,
      workflow,
      task,
      number: 1,
      loop: createLoopId(task, "2def"),
      base: this.git("rev-parse", "HEAD").trim(),
      carry: null,
      worktree: playedExecutor(this.place).workspace.pathOf(task, 1),
      folder: "",
      slot: 1,
      agent: "rehearsal",
      spec: `${task}: Write its file`,
      criteria: [{ name: task, check: this.check(`test -f ${task}.txt`) }],
      mustNots: [],
      protects: [],
      mayChange: [],
      proof: "standard",
      proofBudgetMs: null,
      limits: { ...DEFAULT_LIMITS, sameError: 1 },
      turnUsd: 0,
      iterationLimit: 5,
      mayBeDone: false,
      recall: null,
      ...part,
    };
  }

  check(line: string, passEnv: readonly string[] = []): Check {
    return { command: { kind: "shell", line }, timeoutMs: 20_000, passEnv };
  }

  async attempt(envelope: AttemptEnvelope, signals: Partial<AttemptSignals> = {}): Promise<AttemptResult> {
    const never = new AbortController().signal;
    return this.executor.runAttempt(envelope, {
      signal: never,
      soon: never,
      tell: (news) => void this.news.push(news),
      waitsUntil: () => null,
      ...signals,
    });
  }

  /** A shell line that notes that an agent was at work. */
  noting(name: string): string {
    return `date +%s%3N >> ${this.mark(name)}`;
  }

  noted(name: string): readonly number[] {
    if (!existsSync(this.mark(name))) return [];
    return readFileSync(this.mark(name), "utf8").trim().split("\n").map(Number);
  }
}
