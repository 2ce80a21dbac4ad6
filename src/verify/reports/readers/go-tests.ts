import { type Place, type RunnerReport, runnerReport } from "../test-report.ts";

type Result = "pass" | "fail" | "skip";

/** Tests of all packages. One that ended without a beginning was printed by a test and doesn't count. */
export class GoTests {
  /** Tests that began and haven't ended, by package and name. */
  readonly #running = new Map<string, number>();
  /** Results since the last package ended: the text names the package only at its end. */
  #ofPackage: { readonly name: string; readonly result: Result }[] = [];
  readonly #ended: { readonly name: string; readonly result: Result }[] = [];
  readonly #withoutTests: string[] = [];
  readonly #heard = new Set<string>();
  #errors = 0;
  #isContradictory = false;
  isVerbose = false;

  began(name: string): void {
    this.isVerbose = true;
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
  }

  ended(name: string, result: Result): void {
    if (this.#ends(name)) this.#ofPackage.push({ name, result });
  }

  packageEnded(path: string, { hasPassed }: { readonly hasPassed: boolean }): void {
    if (hasPassed && this.#ofPackage.length === 0) this.#withoutTests.push(path);
    this.#ended.push(...this.#ofPackage.map(({ name, result }) => ({ name: `${path} > ${name}`, result })));
    this.#ofPackage = [];
  }

  /** One line of -json; false if it isn't one. */
  noticeJson(text: string): boolean {
    const event = goEvent(text);
    if (event === null) return false;
    const { action, path, test } = event;
    if (test === null) {
      if ((action === "pass" || action === "fail") && !this.#heard.has(path)) {
        if (action === "pass") this.#withoutTests.push(path);
        else this.#errors += 1;
      }
    } else if (action === "run") {
      this.#heard.add(path);
      this.began(`${path} > ${test}`);
    } else if (action === "pass" || action === "fail" || action === "skip") {
      const name = `${path} > ${test}`;
      if (this.#ends(name)) this.#ended.push({ name, result: action });
    }
    this.isVerbose = true;
    return true;
  }

  report(told: Place & Pick<RunnerReport, "errors">): RunnerReport {
    const all = [...this.#ended, ...this.#ofPackage];
    const of = (result: Result): number => all.filter((test) => test.result === result).length;
    return runnerReport({
      runner: "go",
      ...told,
      passed: of("pass"),
      failed: of("fail"),
      skipped: of("skip"),
      errors: told.errors + this.#errors,
      names: all.filter(({ result }) => result !== "skip").map(({ name }) => name),
      withoutTests: this.#withoutTests,
      isCutShort: this.#running.size > 0,
      isContradictory: this.#isContradictory,
      isCounted: true,
    });
  }

  #ends(name: string): boolean {
    const running = this.#running.get(name) ?? 0;
    if (running === 0) this.#isContradictory = true;
    else if (running === 1) this.#running.delete(name);
    else this.#running.set(name, running - 1);
    return running > 0;
  }
}

function goEvent(text: string): { action: string; path: string; test: string | null } | null {
  if (!text.includes('"Action":"')) return null;
  try {
    const { Action, Package, Test } = JSON.parse(text) as { readonly [key: string]: unknown };
    if (typeof Action !== "string" || typeof Package !== "string") return null;
    return { action: Action, path: Package, test: typeof Test === "string" ? Test : null };
  } catch {
    return null;
  }
}
