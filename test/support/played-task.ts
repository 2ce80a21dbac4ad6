import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { CLI, Stage } from "./driven.ts";
import type { Ran } from "./sandbox.ts";

/** A bug that one test of two notices. */
const TASK: { readonly [path: string]: string } = {
  "package.json": JSON.stringify({ name: "cart", type: "module", scripts: { test: "node --test" } }, null, 2),
  "src/total.js": "export const total = (items) => items.length;\n",
  "test/total.test.js": `import { test } from "node:test";
import assert from "node:assert";
import { total } from "../src/total.js";
test("sums", () => assert.equal(total([1, 2]), 3));
test("empty", () => assert.equal(total([]), 0));
`,
  ".gitignore": "node_modules\ndist\n",
};

export const FIX = `cat > src/total.js <<'END'
export const total = (items) => items.reduce((sum, item) => sum + item, 0);
END`;

/** A project whose tests are a shell script that prints lines as jest does, and no report. */
export const SHELL_PROJECT: { readonly [path: string]: string } = {
  "roman.sh": `case $1 in 1) echo I ;; 2) echo II ;; *) echo IIII ;; esac\n`,
  "test/run.sh": `failed=0
expect() {
  got=$(sh roman.sh "$1")
  [ "$got" = "$2" ] && echo "PASS roman $1" || { echo "FAIL roman $1: expected $2, got $got"; failed=1; }
}
expect 2 II
expect 4 IV
exit $failed
`,
};

export const SHELL_CHECK = "tests pass=sh test/run.sh";

export const SPEC = "Fix total() in src/total.js so that it sums the items";

/** How a loop ended, and what it says for itself. */
export interface Ended {
  readonly phase: string | null;
  readonly reason: string | null;
  readonly confidence: string | null;
  /** What is missing to be sure, or what it is blocked by. */
  readonly why: string;
}

/** A small project, and an agent that is a shell script: it does the same in each turn. */
export class PlayedTask extends Stage {
  /** Without npm, which takes longer than the tests. */
  check = "tests pass=node --test";

  constructor(files: { readonly [path: string]: string } = {}) {
    super({ ...TASK, ...files });
  }

  /** The agent's script lies outside the project. `loop` is on its path. */
  agent(script: string): string {
    const path = this.mark("agent.sh");
    const loop = this.mark("loop");
    writeFileSync(loop, `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
    chmodSync(loop, 0o755);
    writeFileSync(path, `PATH="$PATH:${this.home}"\n${script}\n`);
    return `sh ${path}`;
  }

  playing(script: string, ...args: readonly string[]): readonly string[] {
    const agent = ["--agent", "command", "--command", this.agent(script)];
    return ["run", SPEC, "-c", this.check, ...agent, "--iterations", "3", ...args];
  }

  play(script: string, ...args: readonly string[]): Ran {
    return this.loop(...this.playing(script, ...args));
  }

  /** What an agent in a host's session does. */
  act(script: string): void {
    const { status, stderr } = spawnSync("/bin/sh", ["-ec", script], {
      cwd: this.root,
      env: this.env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${script}: ${stderr}`);
  }

  /** What was shown beyond the checks: `judge fails, what was seen, the files that it is about`. */
  shown(): readonly string[] {
    return this.eventsOf("proof.shown").map(({ proof: { kind, result, detail, files } }) =>
      [`${kind} ${result}`, detail, ...files].filter((part) => part !== null).join(", "),
    );
  }

  ended(): Ended {
    const { phase, reason, confidence, detail } = this.only();
    const why = this.eventsOf("loop.completed").flatMap((each) => each.why ?? []);
    return { phase, reason, confidence, why: detail ?? why.join("; ") };
  }
}
