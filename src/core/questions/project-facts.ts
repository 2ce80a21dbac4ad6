/** A command that the project's own tools suggest, under the statement that it shows. */
export interface FoundCheck {
  readonly name: string;
  readonly command: string;
}

/** What is known of a project without asking anybody. */
export interface ProjectFacts {
  readonly checks: readonly FoundCheck[];
  /** The folder, below the worktree's root, that those commands run in; null: where the loop works. */
  readonly checkFolder: string | null;
  /** Paths below the worktree's root, with slashes; in a large project not all of them. */
  readonly files: readonly string[];
}
