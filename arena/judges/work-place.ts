import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { must, start } from "../stage/process.ts";
import type { Work } from "./work.ts";
import { CHECK } from "./work.ts";

/** A repository with a work in its last commit. */
export interface WorkPlace {
  readonly work: Work;
  readonly root: string;
  readonly home: string;
  readonly from: string;
  readonly to: string;
  /** What checks alone say: red before the work, and green after it, is all that they want. */
  readonly checks: { readonly isRedBefore: boolean; readonly isGreenAfter: boolean };
  readonly close: () => void;
}

export async function openWorkPlace(work: Work): Promise<WorkPlace> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-judges-"));
  const root = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home);
  const env = { PATH: process.env["PATH"], HOME: home };
  const git = async (...words: readonly string[]): Promise<string> => {
    const identity = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"];
    return (await must(["git", ...identity, ...words], { cwd: root, env })).trim();
  };
  const commit = async (files: Work["before"]): Promise<string> => {
    writeAll(root, files);
    await git("add", "-A");
    await git("commit", "-qm", "Work");
    return git("rev-parse", "HEAD");
  };
  const isGreen = async (): Promise<boolean> =>
    (await start(["/bin/sh", "-c", CHECK], { cwd: root, env })).code === 0;
  await git("init", "-q", "-b", "main");
  const from = await commit(work.before);
  const isRedBefore = !(await isGreen());
  const to = await commit(work.after);
  return {
    work,
    root,
    home,
    from,
    to,
    checks: { isRedBefore, isGreenAfter: await isGreen() },
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function writeAll(root: string, files: Work["before"]): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
