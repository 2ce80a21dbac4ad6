import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../scripts/nights/world.mjs";
import { createApproval } from "../src/storage/home/approval-record.ts";
import {
  createLoopFolder,
  createProjectFolder,
  loopFolder,
  projectAt,
  rememberProject,
} from "../src/storage/home/project.ts";
import { loadJournal } from "../src/storage/journal/file/load.ts";

/** A folder a project, a journal a loop: `scripts/record-night.mjs` writes them, and later programs still show them. */
const RECORDED = join(import.meta.dirname, "recordings", "night");
/** What the first program wrote, as `scripts/freeze-journals.mjs` kept it. */
const FIRST = join(import.meta.dirname, "..", "test", "fixtures", "journals", "0.1.0");

/** Loops that ran long ago, as if this machine had opened them. Only their journals are left: neither turns nor work. */
export function showRecorded(world: World): void {
  for (const project of readdirSync(RECORDED)) place(world, project, join(RECORDED, project));
  place(world, "as-of-0.1.0", FIRST);
}

function place(world: World, name: string, from: string): void {
  const root = world.project(name, { "README.md": "Only its loops are left.\n" });
  const project = projectAt(root);
  const home = join(world.env.XDG_STATE_HOME, "loopwright");
  createProjectFolder(project);
  rememberProject(home, root, Date.now());
  for (const file of readdirSync(from).filter((each) => each.endsWith(".jsonl"))) {
    const { loop } = loadJournal(join(from, file), { fromScratch: true });
    createLoopFolder(project, loop.id);
    copyFileSync(join(from, file), join(loopFolder(project, loop.id), "journal.jsonl"));
    createApproval(home, loop, { root, worktree: null, protectedFiles: {}, mustNotFiles: {} });
  }
}
