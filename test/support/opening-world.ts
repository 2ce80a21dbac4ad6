import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Check, Criterion, Evidence } from "../../src/core/loop/criterion.ts";
import { topFrame } from "../../src/core/loop/loop.ts";
import type { CheckChanges } from "../../src/core/loop/proof.ts";
import type { Comparison, ComparedCheck, CompareOptions } from "../../src/verify/baseline/compare.ts";
import { compareWithBaseline, NOTHING_RUN } from "../../src/verify/baseline/compare.ts";
import type { BaselineOptions } from "../../src/verify/baseline/take-baseline.ts";
import { takeBaseline } from "../../src/verify/baseline/take-baseline.ts";
import type { TestReport } from "../../src/verify/reports/test-report.ts";
import type { TreeReading } from "../../src/system/tree/tree-digest.ts";
import { readTree } from "../../src/system/tree/tree-digest.ts";
import { evidenceFor, loopWith, shellCheck } from "./loop-builders.ts";

/** What a check showed before the work. */
interface Start {
  readonly exitCode: number | null;
  readonly report: TestReport | null;
}

/** A project whose one check, `ok`, has an opening. */
export class BaselineWorld {
  readonly root: string;
  readonly home: string;
  readonly check: Check;
  readonly criteria: readonly Criterion[];
  readonly which: BaselineOptions["which"];

  constructor(
    files: { readonly [path: string]: string },
    line: string,
    { hasGit = true }: { readonly hasGit?: boolean } = {},
  ) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-opening-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    this.root = join(folder, "project");
    this.home = join(folder, "home");
    mkdirSync(this.root);
    this.write(files);
    if (hasGit) spawnSync("git", ["init", "-q"], { cwd: this.root });
    this.check = shellCheck(line);
    const loop = loopWith({ goal: { criteria: [{ name: "ok", check: this.check }] } });
    this.criteria = topFrame(loop).criteria;
    this.which = { home: this.home, root: this.root, id: loop.id, depth: 1 };
  }

  get place(): CompareOptions["place"] {
    return { root: this.root, home: this.home };
  }

  /** Null deletes. */
  write(files: { readonly [path: string]: string | null }): void {
    for (const [path, text] of Object.entries(files)) {
      const full = join(this.root, path);
      mkdirSync(dirname(full), { recursive: true });
      if (text === null) rmSync(full);
      else writeFileSync(full, text);
    }
  }

  async reading(): Promise<TreeReading | null> {
    return readTree({ root: this.root, stateHome: this.home });
  }

  async open(start: Start | null = null): Promise<void> {
    const { check, place, which } = this;
    const looked = start === null ? null : lookOf(start);
    await takeBaseline(
      {
        place,
        which,
        folder: "",
        now: 1,
        reading: await this.reading(),
        ...(looked === null ? {} : { looked }),
      },
      [{ name: "ok", check }],
      { isFrame: true },
    );
  }

  async compare(more: Partial<CompareOptions> = {}): Promise<Comparison> {
    const { place, which, criteria } = this;
    const reading = await this.reading();
    const rest = { folder: "", mayChange: [], spec: "", ...NOTHING_RUN };
    return compareWithBaseline({ place, which, criteria, reading, ...rest, ...more });
  }

  async changes(more: Partial<CompareOptions> = {}): Promise<CheckChanges> {
    const { changes } = await this.compare(more);
    const found = changes.checks.get("ok");
    if (found === undefined) throw new Error(changes.missing ?? "no opening");
    return found;
  }

  async compared(more: Partial<CompareOptions> = {}): Promise<ComparedCheck> {
    const found = (await this.compare(more)).checks.get("ok");
    if (found === undefined) throw new Error("no opening");
    return found;
  }
}

function lookOf({ exitCode, report }: Start): NonNullable<BaselineOptions["looked"]> {
  const evidence: Evidence = { ...evidenceFor("ok", { passed: exitCode === 0 }), exitCode };
  return { evidence: new Map([["ok", evidence]]), reports: new Map([["ok", report]]), unrun: new Map() };
}
