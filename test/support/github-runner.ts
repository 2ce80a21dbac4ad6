import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import picomatch from "picomatch";
import { parse } from "yaml";
import type { Variables } from "./ci-job.ts";
import { packageFolder, startJob } from "./ci-job.ts";
import type { Contexts } from "./github-expression.ts";
import { interpolated, runs } from "./github-expression.ts";
import { Sandbox } from "./sandbox.ts";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: { readonly [input: string]: unknown };
  readonly env?: { readonly [name: string]: unknown };
}

interface WorkflowJob {
  readonly needs?: string;
  readonly if?: string;
  readonly outputs?: { readonly [name: string]: string };
  readonly permissions?: unknown;
  readonly steps: readonly Step[];
}

interface Action {
  readonly inputs?: { readonly [input: string]: { readonly default?: string } };
  readonly outputs?: { readonly [name: string]: { readonly value: string } };
  readonly runs: { readonly steps: readonly Step[] };
}

/** The host that a workflow runs on. */
export interface GithubHost {
  /** The bare repository that jobs clone and push to. */
  readonly origin: string;
  readonly event: object;
  /** What every step finds in its environment. */
  readonly env: Variables;
  readonly secrets: Variables;
  /** Replace inputs of the action, for what a test has no other way to say. */
  readonly inputs?: Variables;
}

export interface RanJob {
  readonly outcome: "success" | "failure" | "skipped";
  readonly log: string;
}

/** Runs the jobs of a workflow one after the other, as a runner would: each in a machine with nothing but a clone of its own. */
export async function runWorkflow(
  text: string,
  host: GithubHost,
): Promise<{ readonly [job: string]: RanJob }> {
  const { jobs } = parse(text) as { jobs: { readonly [name: string]: WorkflowJob } };
  const artifacts = new Map<string, string>();
  const needs: { [job: string]: { readonly outputs: Variables } } = {};
  const ran: { [job: string]: RanJob } = {};
  for (const [name, job] of Object.entries(jobs)) {
    const contexts = { github: { event: host.event, token: "t" }, secrets: host.secrets, needs };
    const hasFailed = job.needs !== undefined && ran[job.needs]?.outcome !== "success";
    if (!runs(job.if, contexts, hasFailed)) {
      ran[name] = { outcome: "skipped", log: "" };
      continue;
    }
    const machine = new Machine(host, artifacts);
    const { hasFailed: failed, outputs } = await machine.run(job.steps, contexts);
    needs[name] = {
      outputs: Object.fromEntries(
        Object.entries(job.outputs ?? {}).map(([key, value]) => [
          key,
          interpolated(value, { ...contexts, steps: outputs }),
        ]),
      ),
    };
    ran[name] = { outcome: failed ? "failure" : "success", log: machine.log };
  }
  return ran;
}

interface StepOutputs {
  [step: string]: { readonly outputs: Variables };
}

/** The machine of one job. */
class Machine {
  readonly #host: GithubHost;
  readonly #artifacts: Map<string, string>;
  readonly #sandbox = new Sandbox();
  log = "";

  constructor(host: GithubHost, artifacts: Map<string, string>) {
    this.#host = host;
    this.#artifacts = artifacts;
  }

  async run(
    steps: readonly Step[],
    contexts: Contexts,
    actionFolder = "",
  ): Promise<{ readonly hasFailed: boolean; readonly outputs: StepOutputs }> {
    const outputs: StepOutputs = {};
    let hasFailed = false;
    for (const step of steps) {
      const known = { ...contexts, steps: outputs };
      if (!runs(step.if, known, hasFailed)) continue;
      const ended =
        step.run === undefined ? await this.#use(step, known) : await this.#shell(step, known, actionFolder);
      hasFailed ||= ended.hasFailed;
      if (step.id !== undefined) outputs[step.id] = { outputs: ended.outputs };
    }
    return { hasFailed, outputs };
  }

  async #shell(
    step: Step,
    contexts: Contexts,
    actionFolder: string,
  ): Promise<{ readonly hasFailed: boolean; readonly outputs: Variables }> {
    const own = { ...this.#host.env, GITHUB_ACTION_PATH: actionFolder, ...textsOf(step.env, contexts) };
    const line = interpolated(step.run, contexts);
    const { ended } = startJob(this.#sandbox, own, ["bash", "-e", "-c", line]);
    const { code, out, err, output } = await ended;
    this.log += `${out}${err}`;
    const pairs = output
      .split("\n")
      .flatMap((each) => (each === "" ? [] : [each.split(/=(.*)/s).slice(0, 2)]));
    return { hasFailed: code !== 0, outputs: Object.fromEntries(pairs) as Variables };
  }

  async #use(
    step: Step,
    contexts: Contexts,
  ): Promise<{ readonly hasFailed: boolean; readonly outputs: Variables }> {
    const [action = ""] = (step.uses ?? "").split("@");
    const given = textsOf(step.with, contexts);
    const nothing = { hasFailed: false, outputs: {} };
    switch (action) {
      case "actions/checkout":
        this.#sandbox.git("clone", "--quiet", "--depth", "1", `file://${this.#host.origin}`, ".");
        return nothing;
      case "actions/upload-artifact":
        this.#upload(given["name"] ?? "", given["path"] ?? "");
        return nothing;
      case "actions/download-artifact": {
        const kept = this.#artifacts.get(given["name"] ?? "");
        if (kept === undefined) return { hasFailed: true, outputs: {} };
        cpSync(kept, join(this.#sandbox.root, given["path"] ?? ""), { recursive: true });
        return nothing;
      }
      default:
        return this.#composite(
          action.split("/").slice(2).join("/"),
          { ...given, ...this.#host.inputs },
          contexts,
        );
    }
  }

  /** One of ours, as it is published. */
  async #composite(
    folder: string,
    given: Variables,
    contexts: Contexts,
  ): Promise<{ readonly hasFailed: boolean; readonly outputs: Variables }> {
    const action = parse(readFileSync(join(folder, "action.yml"), "utf8")) as Action;
    const known = action.inputs ?? {};
    for (const name of Object.keys(given))
      if (folder === "" && !(name in known)) throw new Error(`the action has no input ${name}`);
    const defaults = Object.fromEntries(
      Object.entries(known).map(([name, { default: value = "" }]) => [name, value]),
    );
    const inner = { ...contexts, inputs: { ...defaults, ...given } };
    const { hasFailed, outputs } = await this.run(action.runs.steps, inner, join(packageFolder(), folder));
    const own = Object.entries(action.outputs ?? {}).map(([name, { value }]) => [
      name,
      interpolated(value, { ...inner, steps: outputs }),
    ]);
    return { hasFailed, outputs: Object.fromEntries(own) as Variables };
  }

  /** Without the folder that all patterns begin with, as GitHub does. */
  #upload(name: string, patterns: string): void {
    const list = patterns.split("\n").flatMap((line) => line.trim() || []);
    const [shared = ""] = list[0]?.split("/") ?? [];
    const isUploaded = picomatch(list, { dot: true });
    const kept = join(this.#sandbox.home, "artifacts", name);
    mkdirSync(kept, { recursive: true });
    for (const each of readdirSync(join(this.#sandbox.root, shared), { recursive: true, encoding: "utf8" })) {
      if (!isUploaded(join(shared, each))) continue;
      mkdirSync(dirname(join(kept, each)), { recursive: true });
      cpSync(join(this.#sandbox.root, shared, each), join(kept, each));
    }
    this.#artifacts.set(name, kept);
  }
}

function textsOf(values: { readonly [name: string]: unknown } | undefined, contexts: Contexts): Variables {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, interpolated(value, contexts)]),
  );
}
