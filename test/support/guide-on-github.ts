import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Variables } from "./ci-job.ts";
import { api } from "./ci-job.ts";
import type { RanJob } from "./github-runner.ts";
import { runWorkflow } from "./github-runner.ts";
import { Sandbox } from "./sandbox.ts";

const [WORKFLOW = ""] =
  /(?<=```yaml\n)[\s\S]*?(?=```)/.exec(readFileSync(join(import.meta.dirname, "../../docs/ci.md"), "utf8")) ??
  [];

const CART = "exports.total = (prices) => 0;\n";
export const FIXED_CART = "exports.total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n";
const SHOP = {
  "package.json": JSON.stringify({ name: "shop", version: "1.0.0", scripts: { test: "node --test" } }),
  "package-lock.json": JSON.stringify({
    name: "shop",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: { "": { name: "shop", version: "1.0.0" } },
  }),
  "cart.js": CART,
  "cart.test.js":
    'require("node:test")("adds up", () => require("node:assert").equal(require("./cart.js").total([1, 2]), 3));\n',
};

/** A repository on a host, which machines can clone. */
export function hostedAt(machine: Sandbox): string {
  machine.git("branch", "-M", "main");
  const origin = join(machine.home, "origin.git");
  machine.git("clone", "--quiet", "--bare", ".", origin);
  machine.git("remote", "add", "origin", origin);
  return origin;
}

export interface RanGuide {
  readonly jobs: { readonly [job: string]: RanJob };
  /** What the API was sent. */
  readonly sent: readonly unknown[];
  readonly asked: readonly string[];
  /** A file on the branch that the second job pushed. */
  readonly show: (path: string) => string;
}

/** The workflow of docs/ci.md on a host of its own, started by the label of an issue. Its agent is there by PATH, or played. */
export async function runGuide(options: {
  readonly label?: string;
  readonly env?: Variables;
  /** What the agent plays; without it, the guide's own agent works. */
  readonly script?: string;
}): Promise<RanGuide> {
  const machine = new Sandbox(SHOP);
  machine.commitAll();
  const origin = hostedAt(machine);
  const issue = { number: 7, title: "Fix total() in cart.js", body: "", labels: [{ name: "loop" }] };
  const event = { issue: { ...issue, user: { login: "octo" } }, label: { name: options.label ?? "loop" } };
  const eventPath = join(machine.home, "event.json");
  const script = join(machine.home, "agent.json");
  writeFileSync(eventPath, JSON.stringify(event));
  writeFileSync(script, options.script ?? "");
  const { url, asked, sent } = await api({
    "/repos/o/r/collaborators/octo/permission": { permission: "write" },
    "/repos/o/r/pulls": { html_url: "https://host/o/r/pull/8" },
  });
  const path = options.env?.["PATH"] ?? machine.env["PATH"] ?? "";
  const jobs = await runWorkflow(WORKFLOW, {
    origin,
    event,
    secrets: { ANTHROPIC_API_KEY: "sk-ant-fake-for-the-scripted-model" },
    ...(options.script === undefined ? {} : { inputs: { agent: "rehearsal", script } }),
    env: {
      ...options.env,
      PATH: `${withoutGlobals(machine)}:${path}`,
      NEXT_PATH: path,
      GITHUB_API_URL: url,
      GITHUB_SERVER_URL: "https://host",
      GITHUB_REPOSITORY: "o/r",
      GITHUB_RUN_ID: "42",
      GITHUB_RUN_ATTEMPT: "1",
      GITHUB_REF_NAME: "main",
      GITHUB_EVENT_PATH: eventPath,
    },
  });
  const show = (file: string): string => machine.git("--git-dir", origin, "show", `loop/42-1:${file}`);
  return { jobs, sent: await Promise.all(sent), show, asked };
}

/** A folder with an npm that installs nothing for the whole machine: what the guide installs so is there, or isn't needed. */
function withoutGlobals(machine: Sandbox): string {
  const npm = join(machine.home, "bin", "npm");
  mkdirSync(dirname(npm));
  writeFileSync(npm, `#!/bin/sh\ncase "$*" in *--global*) exit 0;; esac\nPATH="$NEXT_PATH" exec npm "$@"\n`);
  chmodSync(npm, 0o755);
  return dirname(npm);
}
