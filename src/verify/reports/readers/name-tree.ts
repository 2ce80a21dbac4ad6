/** Full names out of an indented list of groups and tests. */
export class NameTree {
  readonly #root: string | null;
  #groups: { readonly indent: number; readonly name: string }[] = [];

  constructor(root: string | null = null) {
    this.#root = root;
  }

  enter(indent: number, name: string): void {
    this.#leave(indent);
    this.#groups.push({ indent, name });
  }

  nameAt(indent: number, name: string): string {
    this.#leave(indent);
    const root = this.#root === null ? [] : [this.#root];
    return [...root, ...this.#groups.map((group) => group.name), name].join(" > ");
  }

  /** Leaves the last group, and returns whether it was this one. */
  closes(indent: number, name: string): boolean {
    while ((this.#groups.at(-1)?.indent ?? -1) > indent) this.#groups.pop();
    const last = this.#groups.at(-1);
    if (last?.indent !== indent || last.name !== name) return false;
    this.#groups.pop();
    return true;
  }

  #leave(indent: number): void {
    while ((this.#groups.at(-1)?.indent ?? -1) >= indent) this.#groups.pop();
  }
}
