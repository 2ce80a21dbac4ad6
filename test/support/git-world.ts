import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Sandbox } from "./sandbox.ts";

/** A repository with a first commit, beside a state home, and worktrees of it. */
export class GitWorld extends Sandbox {
  readonly stateHome: string;
  readonly first: string;

  constructor(files: { readonly [path: string]: string }) {
    super(files);
    this.stateHome = join(this.home, "state", "loopwright");
    this.commitAll();
    this.git("branch", "-M", "main");
    this.first = this.head();
  }

  head(): string {
    return this.git("rev-parse", "HEAD").trim();
  }

  get repository(): { readonly root: string; readonly stateHome: string } {
    return { root: this.root, stateHome: this.stateHome };
  }

  /** As git itself makes one. */
  plainWorktree(name: string, commit = this.first): string {
    const path = join(this.home, name);
    this.git("worktree", "add", "-q", "--detach", path, commit);
    return path;
  }

  /** A commit with these files changed on top of another one, made without a branch; null deletes. */
  commitOn(parent: string, files: { readonly [path: string]: string | null }, message = "work"): string {
    const folder = join(this.home, `making-${Math.random().toString(36).slice(2)}`);
    this.git("worktree", "add", "-q", "--detach", folder, parent);
    change(folder, files);
    this.gitIn(folder, "add", "-A");
    this.gitIn(folder, "commit", "-qm", message);
    const commit = this.gitIn(folder, "rev-parse", "HEAD").trim();
    this.git("worktree", "remove", "--force", folder);
    return commit;
  }

  /** The files of a commit or a tree, by path. */
  filesOf(tree: string): { readonly [path: string]: string } {
    const paths = this.git("ls-tree", "-r", "--name-only", tree).split("\n").slice(0, -1);
    return Object.fromEntries(paths.map((path) => [path, this.git("cat-file", "-p", `${tree}:${path}`)]));
  }
}

export function change(folder: string, files: { readonly [path: string]: string | null }): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) {
      execFileSync("rm", ["-rf", join(folder, path)]);
      continue;
    }
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
