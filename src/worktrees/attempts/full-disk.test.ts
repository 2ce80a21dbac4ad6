import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { change, GitWorld } from "../../../test/support/git-world.ts";
import { parseLoopId } from "../../core/loop/id.ts";
import { keepResult } from "../integration/keep-result.ts";
import { addWorktree } from "./add-worktree.ts";
import { attemptName, worktreePath, type WorktreeName } from "./marker.ts";

const canMount = process.getuid?.() === 0 && process.platform === "linux";

/** Puts a disk with little room at a folder. */
function smallDisk(folder: string): void {
  mkdirSync(folder, { recursive: true });
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]).status).toBe(0);
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
}

function fill(folder: string): string {
  const path = join(folder, "filler");
  const file = openSync(path, "w");
  expect(() => {
    for (;;) writeSync(file, Buffer.alloc(4096));
  }).toThrow("ENOSPC");
  closeSync(file);
  return path;
}

function attemptIn(world: GitWorld): WorktreeName {
  const loop = parseLoopId("fix-ab12");
  if (loop === null) throw new Error("no id");
  return { root: world.root, stateHome: world.stateHome, loop, name: attemptName("T-001", 1) };
}

it.skipIf(!canMount)(
  "an attempt on a full disk says that a worktree does not fit, and makes it once there is room",
  async () => {
    const world = new GitWorld({ "big.txt": "x".repeat(200_000) });
    const which = attemptIn(world);
    smallDisk(dirname(worktreePath(which)));
    const filler = fill(dirname(worktreePath(which)));
    const commit = world.first;
    expect(await addWorktree({ ...which, commit })).toMatchObject({ type: "failed" });
    rmSync(filler);
    expect(await addWorktree({ ...which, commit })).toMatchObject({ type: "there", isNew: true });
    expect(readFileSync(join(worktreePath(which), "big.txt"), "utf8")).toHaveLength(200_000);
  },
);

it.skipIf(!canMount)(
  "an attempt on a full disk says that a result does not fit, and keeps the files for the next try",
  async () => {
    const world = new GitWorld({ "a.txt": "a\n" });
    const which = attemptIn(world);
    await addWorktree({ ...which, commit: world.first });
    const worktree = worktreePath(which);
    const objects = join(world.root, ".git", "objects");
    const copy = join(world.home, "objects");
    spawnSync("cp", ["-a", objects, copy]);
    smallDisk(objects);
    spawnSync("cp", ["-a", `${copy}/.`, objects]);
    const filler = fill(objects);
    change(worktree, { "new.txt": "work ".repeat(50_000) });
    const keep = (): ReturnType<typeof keepResult> =>
      keepResult({
        ...world.repository,
        worktree,
        base: world.first,
        ref: "refs/loopwright/fix-ab12/tasks/T-001/1",
        message: "",
        trailers: {},
      });
    expect(await keep()).toMatchObject({ type: "failed", why: expect.stringMatching(/no space left/i) });
    expect(readFileSync(join(worktree, "new.txt"), "utf8")).toBe("work ".repeat(50_000));
    rmSync(filler);
    writeFileSync(join(worktree, "more.txt"), "more\n");
    const kept = await keep();
    expect(kept).toMatchObject({ type: "kept", leftOut: [] });
  },
);
