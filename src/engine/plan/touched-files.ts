import { changesOfCommits } from "../../worktrees/integration/commit-changes.ts";

/** The files that commits of the loop's branch changed. Each is looked at once, however many merges ask. */
export class TouchedFiles {
  readonly #root: string;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** By commit; null: git doesn't say. */
  async of(commits: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>> | null> {
    const fresh = [...new Set(commits)].filter((commit) => !this.#known.has(commit));
    const changes = await changesOfCommits(this.#root, fresh);
    if (changes === null) return null;
    for (const commit of fresh)
      this.#known.set(commit, new Set((changes.get(commit) ?? []).map(({ path }) => path)));
    return this.#known;
  }
}
