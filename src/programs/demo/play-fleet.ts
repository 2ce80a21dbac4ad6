import type { FleetEngine } from "../../engine/fleet/fleet-engine.ts";
import { fleetExecutor } from "../../engine/fleet/fleet-executor.ts";
import { pinKey, signerOf } from "../../engine/fleet/keys.ts";
import { repositoryOf } from "../../engine/fleet/repository.ts";
import { attemptChoice } from "../../engine/plan/envelope.ts";
import { gitWorkspace } from "../../engine/plan/git-workspace.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { Guardian } from "../../system/process/guardian.ts";
import type { WorkflowNews } from "../../views/news/news.ts";
import type { Script } from "../../agents/rehearsal/script.ts";
import { startWorker, type DemoWorker, type DemoWorkerNews } from "./demo-worker.ts";
import { driveScene, openScene, scriptsIn, testOf, turn, type PlanDemo } from "./plan-scene.ts";
import { startPrivatePostgres, type PrivatePostgres } from "./private-postgres.ts";
import { onStage } from "./stage.ts";

export interface FleetDemo extends PlanDemo {
  readonly engine: {
    readonly init: (url: string) => Promise<unknown>;
    readonly open: (url: string, options: { readonly leaseMs: number }) => Promise<FleetEngine>;
    /** By which a worker knows its fleet. */
    readonly variables: (url: string, leaseMs: number) => NodeJS.ProcessEnv;
  };
  readonly tellFleet: (news: FleetSceneNews) => void;
}

export type FleetSceneNews =
  | { readonly type: "ready"; readonly workers: readonly string[]; readonly key: string }
  | { readonly type: "worker"; readonly name: string; readonly news: DemoWorkerNews }
  | { readonly type: "killed" | "frozen" | "thawed"; readonly name: string; readonly task: string };

const LEASE_MS = 10_000;
const TIMES = { leaseMs: LEASE_MS, lookMs: 500, stopMs: 3_000 };
const ATTEMPT_USD = 0.5;
const WORKERS = ["w1", "w2", "w3"];
/** In the middle of these, their workers fail. */
const KILLED_OVER = "T-002";
const FROZEN_OVER = "T-003";

/** A private Postgres hands a plan to three workers of this machine, and two of them fail. */
export async function playFleetDemo(demo: FleetDemo): Promise<Loop> {
  return onStage(demo, SHOP_FILES, async (machine, stage, guardian) => {
    const postgres = await startPrivatePostgres(demo.env, guardian);
    try {
      await demo.engine.init(postgres.url);
      return await play(machine, demo, { stage, guardian, postgres });
    } finally {
      await postgres.end();
    }
  });
}

interface Stage {
  readonly stage: string;
  readonly guardian: Guardian;
  readonly postgres: PrivatePostgres;
}

async function play(machine: Machine, demo: FleetDemo, on: Stage): Promise<Loop> {
  const { stage, guardian, postgres } = on;
  const signer = signerOf(machine.home, "driver");
  const choice = scriptsIn(stage, PLAYED);
  const chosen = await openScene(machine, {
    spec: SPEC,
    plan: PLAN,
    parallel: WORKERS.length,
    attemptUsd: ATTEMPT_USD,
  });
  const { project } = chosen.live;
  const workers: DemoWorker[] = [];
  const engine = await demo.engine.open(postgres.url, TIMES);
  try {
    const env = { ...machine.env, ...demo.engine.variables(postgres.url, LEASE_MS) };
    const shared = { cli: demo.cli, env, root: project.root, stage, accepts: signer.fingerprint, guardian };
    const tell = (name: string, news: DemoWorkerNews): void => demo.tellFleet({ type: "worker", name, news });
    for (const name of WORKERS) {
      const worker = await startWorker({ ...shared, name, tell });
      workers.push(worker);
      pinKey(machine.home, "workers", worker.fingerprint, name);
    }
    demo.tellFleet({ type: "ready", workers: WORKERS, key: signer.fingerprint });
    demo.onLoop(chosen);
    const how = { setup: null, copies: [], diskBytes: Number.POSITIVE_INFINITY };
    const workspace = gitWorkspace({ machine, project, loop: chosen.id, folder: "", how });
    const executor = fleetExecutor({
      ...{ engine, machine, project, workflow: chosen.id, signer, how, label: null, times: TIMES },
      repository: await repositoryOf(project.root),
      choiceFor: (envelope) => attemptChoice(choice, envelope),
      tell: () => undefined,
    });
    const troubles = new Troubles(workers, demo.tellFleet);
    try {
      return await driveScene(machine, chosen, {
        ...{ choice, executor },
        workspace: { ...workspace, pathOf: () => null, room: async () => null },
        demo: {
          ...demo,
          tell: (news) => {
            demo.tell(news);
            troubles.after(news);
          },
        },
      });
    } finally {
      await executor.close();
    }
  } finally {
    await Promise.all(workers.map(async (each) => each.end()));
    await engine.close();
  }
}

/** What goes wrong in the scene, and when. */
class Troubles {
  readonly #workers: readonly DemoWorker[];
  readonly #tell: FleetDemo["tellFleet"];
  readonly #met = new Set<string>();
  #frozen: DemoWorker | null = null;

  constructor(workers: readonly DemoWorker[], tell: FleetDemo["tellFleet"]) {
    this.#workers = workers;
    this.#tell = tell;
  }

  after(news: WorkflowNews): void {
    const isEdit =
      news.type === "attempt-news" && news.news.type === "seen" && news.news.agentEvent.type === "edited";
    if (isEdit && news.task === KILLED_OVER) this.#fail(KILLED_OVER, "SIGKILL");
    if (isEdit && news.task === FROZEN_OVER) this.#frozen = this.#fail(FROZEN_OVER, "SIGSTOP");
    const isLost = news.type === "set-back" && news.setback.kind === "lost";
    if (!isLost || news.task.id !== FROZEN_OVER || this.#frozen === null) return;
    this.#tell({ type: "thawed", name: this.#frozen.name, task: FROZEN_OVER });
    this.#frozen.send("SIGCONT");
    this.#frozen = null;
  }

  /** Once for each task. */
  #fail(task: string, signal: "SIGKILL" | "SIGSTOP"): DemoWorker | null {
    const worker = this.#workers.find(({ at }) => at()?.endsWith(`/${task}/1`));
    if (worker === undefined || this.#met.has(task)) return this.#frozen;
    this.#met.add(task);
    worker.send(signal);
    this.#tell({ type: signal === "SIGKILL" ? "killed" : "frozen", name: worker.name, task });
    return worker;
  }
}

const SPEC = "Give the corner shop what it needs at the till";

const TASKS = [
  ["T-001", "Add up a cart", "sum", "[{ price: 3, quantity: 4 }]", "12"],
  ["T-002", "Give 10% off from 100 on", "discount", "120", "108"],
  ["T-003", "Add the tax", "tax", "100", "119"],
  ["T-004", "Count the items", "count", "[{ quantity: 4 }, { quantity: 1 }]", "5"],
  ["T-005", "Write money with two digits", "money", "17", '"17.00"'],
] as const;

/** What the played agents write. */
const SOURCES = {
  sum: "it.reduce((sum, { price, quantity }) => sum + price * quantity, 0)",
  discount: "it >= 100 ? it * 0.9 : it",
  tax: "Math.round(it * 119) / 100",
  count: "it.reduce((sum, { quantity }) => sum + quantity, 0)",
  money: "it.toFixed(2)",
} as const;

const RECEIPT = `import { sum } from "./sum.js";
import { discount } from "./discount.js";
import { tax } from "./tax.js";

export const receipt = (items) => \`Total \${tax(discount(sum(items)))}\`;
`;

const PLAN = `# ${SPEC}

${TASKS.map(([id, title, name]) => `### ${id}: ${title}\nverify: node test/${name}.test.js\n`).join("\n")}
### T-006: Print a receipt
blocked by: T-001, T-002, T-003
verify: node test/receipt.test.js
`;

const SHOP_FILES: { readonly [path: string]: string } = {
  "PLAN.md": PLAN,
  "package.json": `${JSON.stringify({ name: "corner-shop", private: true, type: "module" }, null, 2)}\n`,
  ...Object.fromEntries(
    TASKS.map(([, , name, given, expected]) => [
      `test/${name}.test.js`,
      testOf(`import { ${name} } from "../src/${name}.js";`, `${name}(${given})`, expected),
    ]),
  ),
  "test/receipt.test.js": testOf(
    `import { receipt } from "../src/receipt.js";`,
    "receipt([{ price: 30, quantity: 4 }])",
    '"Total 128.52"',
  ),
};

const HALF_MS = 2_000;
/** Longer than a worker may be silent. */
const UNTIL_LONG_LOST_MS = 60_000;

function written(name: keyof typeof SOURCES, say: string, waitMs: number): Script {
  const text = `export const ${name} = (it) => ${SOURCES[name]};\n`;
  return turn(say, 0.04, [
    { write: `src/${name}.js`, text: `// ${name}, half done\n` },
    { wait: waitMs },
    { write: `src/${name}.js`, text },
  ]);
}

const PLAYED: { readonly [attempt: string]: Script } = {
  "T-001": written("sum", "Prices are multiplied by quantities and added up.", HALF_MS),
  "T-002": written("discount", "This is never said.", UNTIL_LONG_LOST_MS),
  "T-002-2": written("discount", "Ten per cent off from 100 on.", HALF_MS),
  "T-003": written("tax", "The tax is added.", HALF_MS),
  "T-004": written("count", "It counts each item by its quantity.", HALF_MS),
  "T-005": written("money", "Two digits, always.", HALF_MS),
  "T-006": turn("The receipt uses what the others wrote.", 0.05, [
    { write: "src/receipt.js", text: RECEIPT },
  ]),
};
