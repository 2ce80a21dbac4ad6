import { NameTree } from "./name-tree.ts";
import type { NodeResult } from "./node-test.ts";

const DIRECTIVE = /(?<!\\)# ?(skip|todo)\b.*$/i;
const TIME = / # time=[\d.]+m?s$/;

interface Point extends NodeResult {
  readonly kind: "executed" | "skipped" | "todo";
}

/** The test points of one TAP document. A point with subpoints is a parent, whichever came first. */
export class TapPoints {
  readonly #tree = new NameTree();
  #leaves: Point[] = [];
  #last: Point | null = null;
  #deepest = 0;
  parents = 0;
  /** Top-level points, which the plan counts. */
  top = 0;

  enter(indent: number, name: string): void {
    this.#tree.enter(indent, unescaped(name.trim()));
  }

  add(indent: number, hasPassed: boolean, description: string): void {
    if (indent === 0) this.top += 1;
    const opens = description.endsWith(" {");
    const told = opens ? description.slice(0, -2) : description;
    const directive = DIRECTIVE.exec(told)?.[1]?.toLowerCase();
    const name = unescaped(told.replace(DIRECTIVE, "").replace(TIME, "").trim());
    const hasChildren = this.#deepest > indent;
    this.#deepest = indent;
    this.#last = null;
    if (opens) {
      this.#tree.enter(indent, name);
      return;
    }
    this.#tree.closes(indent, name);
    if (hasChildren) {
      this.parents += 1;
      return;
    }
    const kind = directive === undefined ? "executed" : directive === "skip" ? "skipped" : "todo";
    this.#last = { name: this.#tree.nameAt(indent, name), hasPassed, kind };
    this.#leaves.push(this.#last);
  }

  /** Node marks a point as a suite in the lines below it. */
  lastIsSuite(): void {
    if (this.#last !== null && this.#leaves.at(-1) === this.#last) this.#leaves.pop();
    this.#last = null;
  }

  executed(): readonly NodeResult[] {
    return this.#leaves.filter(({ kind }) => kind === "executed");
  }

  get skipped(): number {
    return this.#leaves.filter(({ kind }) => kind === "skipped").length;
  }

  get todo(): number {
    return this.#leaves.filter(({ kind }) => kind === "todo").length;
  }
}

function unescaped(name: string): string {
  return name.replace(/\\([#\\])/g, "$1");
}
