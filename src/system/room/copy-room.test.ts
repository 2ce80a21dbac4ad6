import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { file, RoomWorld } from "../../../test/support/room-world.ts";
import { fingerprintOf } from "../../../test/support/traces.ts";
import { openCopyRoom, measureTree } from "./copy-room.ts";
import type { BareRoom } from "./overlay-room.ts";
import { replaceFiles } from "./replace-files.ts";
import { removeScratch } from "./scratch.ts";

const VISITOR = resolve("dist/test-programs/room-visitor.mjs");
const WITHOUT_MOUNTS = ["--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "--"];
const canDropRights =
  process.getuid?.() === 0 && spawnSync("setpriv", [...WITHOUT_MOUNTS, "true"]).status === 0;

async function copyOf({ root, scratch }: RoomWorld): Promise<BareRoom> {
  mkdirSync(scratch);
  return openCopyRoom({ root, scratch, signal: undefined });
}

describe("a room that is a copy", () => {
  it("has the files with their rights, times and links, and throws changes away", async () => {
    const world = new RoomWorld({
      "a.txt": "a",
      "b/tool": "#!/bin/sh\necho tool",
      "node_modules/m/i.js": "m",
    });
    chmodSync(join(world.root, "b/tool"), 0o755);
    symlinkSync("a.txt", join(world.root, "near"));
    symlinkSync(join(world.root, "a.txt"), join(world.root, "far"));
    spawnSync("mkfifo", [join(world.root, "pipe")]);
    const then = new Date(1_700_000_000_000);
    for (const path of ["a.txt", "b"]) utimesSync(join(world.root, path), then, then);
    const before = fingerprintOf(world.root);

    const room = await copyOf(world);
    await replaceFiles(room.base, [file("new.txt", "new")]);
    const { output } = await room.run(world.command("b/tool; stat -c %Y a.txt b; ls; echo x >far; cat near"));
    expect(output).toBe("tool\n1700000000\n1700000000\na.txt\nb\nfar\nnear\nnew.txt\nnode_modules\nx\n");
    expect(lstatSync(join(room.base, "node_modules")).isDirectory()).toBe(true);
    expect(fingerprintOf(world.root)).toEqual(before);
  });

  it("has a git folder of its own in a linked worktree, so that no ref moves outside", async () => {
    const main = new RoomWorld({ "a.txt": "a" });
    main.git("init", "-q", "-b", "main");
    main.git("add", "-A");
    main.git("commit", "-qm", "first");
    const world = new RoomWorld();
    rmSync(world.root, { recursive: true });
    main.git("worktree", "add", "-q", world.root, "-b", "topic");
    const before = [fingerprintOf(main.root), fingerprintOf(world.root)];

    const room = await copyOf(world);
    const line = "git status --short; echo b >b; git add -A; git commit -qm inside; git log --format='%s %D'";
    expect((await room.run(world.command(line))).output).toBe("inside HEAD -> topic\nfirst main\n");
    expect([fingerprintOf(main.root), fingerprintOf(world.root)]).toEqual(before);
  });

  it("is removed whole, closed folders included", async () => {
    const world = new RoomWorld({ "a.txt": "a" });
    const room = await copyOf(world);
    await room.run(world.command("mkdir -p closed/inner; touch closed/inner/x; chmod 0 closed/inner closed"));
    await removeScratch(world.scratch);
    expect(existsSync(world.scratch)).toBe(false);
  });

  it("is looked at no further once it is too large", async () => {
    const world = new RoomWorld({ "a/1": "1", "a/2": "22", "b/3": "333" });
    expect(await measureTree([world.root], { files: 9, bytes: 9 })).toEqual({ files: 5, bytes: 6 });
    expect((await measureTree([world.root], { files: 1, bytes: 9 })).files).toBeLessThan(5);
  });

  it.skipIf(!canDropRights)("is what a root gets that may not mount, and says so (needs root)", () => {
    const world = new RoomWorld({ "replaced.txt": "now", "absent.txt": "here" });
    const before = fingerprintOf(world.root);
    const program = [process.execPath, VISITOR, "inside", world.root, world.scratch, "cat replaced.txt; ls"];
    const { stdout } = spawnSync("setpriv", [...WITHOUT_MOUNTS, ...program], { encoding: "utf8" });
    expect(JSON.parse(stdout)).toMatchObject({ isFaithful: false, output: "old\nreplaced.txt\n" });
    expect(readdirSync(world.scratch)).toEqual([]);
    expect(fingerprintOf(world.root)).toEqual(before);
  });
});
