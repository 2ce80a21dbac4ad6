import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { must, start } from "../stage/process.ts";
import { REVIEWERS, type Reviewer } from "./reviewers.ts";
import type { Work } from "./work.ts";
import { CHECK } from "./work.ts";
import { writeAll } from "./work-place.ts";
import { REMEDIED } from "./works.ts";

const CLI = resolve("dist/cli.js");
const DONE = "All done.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";

/** What became of a flawed work that a whole `loop run --plan` delivered. */
export interface WholePlay {
  readonly reviewer: string;
  readonly code: number | null;
  /** Whether what was delivered is what the spec asks for. */
  readonly isRight: boolean;
  readonly seconds: number;
}

/** The agent delivers the flawed work, and puts it right once it is told. */
export async function playWhole(flawed: Work, sound: Work, reviewer: Reviewer | null): Promise<WholePlay> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-judges-"));
  try {
    const root = join(folder, "project");
    const home = join(folder, "home");
    const scripts = join(home, "scripts");
    for (const each of [root, home, scripts]) mkdirSync(each);
    writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = A\n\temail = a@example.invalid\n");
    const here = {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(home, "state") },
    };
    writeAll(root, flawed.before);
    for (const words of [
      ["init", "-q", "-b", "main"],
      ["add", "-A"],
      ["commit", "-qm", "Begin"],
    ] as const)
      await must(["git", ...words], here);
    const script = (name: string, ...turns: readonly object[]): void =>
      writeFileSync(join(scripts, `${name}.json`), JSON.stringify({ turns }));
    script("T-001", turnWith(flawed.after));
    script("R-1", turnWith(REMEDIED));
    const says = (work: Work): object => ({ say: reviewer?.says(work, 1) ?? "", usd: 0.01 });
    script("light-review", says(sound));
    script("review-1", says(flawed), says(flawed));
    script("review-2", says(sound), says(sound));
    const plan = join(home, "PLAN.md");
    writeFileSync(
      plan,
      `# A plan\n\n### T-001: Do what the description says\n${flawed.spec}\nverify: ${CHECK}\n`,
    );
    const digest = createHash("sha256").update(readFileSync(plan)).digest("hex");
    const began = performance.now();
    const { code } = await start(
      [
        process.execPath,
        ...[CLI, "run", "--plan", plan, "--plan-digest", digest],
        ...["--agent", "rehearsal", "--script", scripts],
        ...(reviewer === null ? ["--no-model"] : []),
      ],
      here,
    );
    return {
      reviewer: reviewer?.name ?? "none",
      code,
      isRight: Object.entries(sound.after).every(
        ([path, text]) => readFileSync(join(root, path), "utf8") === text,
      ),
      seconds: (performance.now() - began) / 1_000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function turnWith(files: Work["after"]): object {
  const edits = Object.entries(files).map(([write, text]) => ({ write, text }));
  return { do: edits, say: DONE, usd: 0.01 };
}

/** No review, one that helps, one that approves, and one that nobody can use. */
export const WHOLE: readonly (Reviewer | null)[] = [
  null,
  ...REVIEWERS.filter(({ name }) => ["good", "approving", "hostile, not JSON"].includes(name)),
];
