import { chmodSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { keepFiles, listKept, listNow, readKept, type Kept } from "./kept-files.ts";

const BYTES = Buffer.from([0, 255, 10, 13, 0]);

async function keptWorld(hasGit: boolean): Promise<{ readonly world: BaselineWorld; readonly kept: Kept }> {
  const world = new BaselineWorld({ "a.txt": "a\n", "run.sh": "#!/bin/sh\n", "same.txt": "a\n" }, "true", {
    hasGit,
  });
  writeFileSync(join(world.root, "bytes.bin"), BYTES);
  chmodSync(join(world.root, "run.sh"), 0o755);
  symlinkSync("a.txt", join(world.root, "link"));
  return { world, kept: await keep(world) };
}

async function keep(world: BaselineWorld): Promise<Kept> {
  const where = { ref: "refs/loopwright/a/opening-1", folder: join(world.home, "files"), message: "Kept" };
  return keepFiles(world.place, where, await world.reading());
}

describe.each([
  { hasGit: true, type: "git" },
  { hasGit: false, type: "copy" },
])("files that are kept, with git: $hasGit", ({ hasGit, type }) => {
  it("are listed in the terms of those that are there now", async () => {
    const { world, kept } = await keptWorld(hasGit);
    expect(kept.type).toBe(type);
    const { listing: then } = await listKept(world.place, kept);
    expect([...then.keys()].toSorted()).toEqual(["a.txt", "bytes.bin", "link", "run.sh", "same.txt"]);
    expect(new Map(listNow(await world.reading()))).toEqual(new Map(then));
    expect(then.get("a.txt")).toBe(then.get("same.txt"));

    chmodSync(join(world.root, "run.sh"), 0o644);
    const now = listNow(await world.reading());
    expect([...then.keys()].filter((path) => then.get(path) !== now.get(path))).toEqual(["run.sh"]);
  });

  it("are read byte by byte, with their modes, though they are gone; what was not there is missing", async () => {
    const { world, kept } = await keptWorld(hasGit);
    for (const name of ["bytes.bin", "link", "run.sh"]) rmSync(join(world.root, name));
    const files = await readKept(world.place, kept, new Set(["bytes.bin", "link", "run.sh", "nowhere"]));
    expect(files).toEqual(
      new Map([
        ["bytes.bin", { mode: "100644", content: BYTES }],
        ["link", { mode: "120000", content: Buffer.from("a.txt") }],
        ["run.sh", { mode: "100755", content: Buffer.from("#!/bin/sh\n") }],
      ]),
    );
  });
});

describe("files that cannot be kept", () => {
  it("say why when they are asked for", async () => {
    const { world } = await keptWorld(false);
    const kept = { type: "none", why: "it was too large" } as const;
    await expect(listKept(world.place, kept)).rejects.toThrow("it was too large");
    await expect(readKept(world.place, kept, new Set())).rejects.toThrow("it was too large");
  });

  it("a copy that was deleted, or whose listing is not ours, is said to be gone", async () => {
    const { world, kept } = await keptWorld(false);
    if (kept.type !== "copy") throw new Error("it is copied");
    writeFileSync(join(kept.folder, "listing.json"), JSON.stringify({ "a.txt": "100644 ../../etc/passwd" }));
    await expect(listKept(world.place, kept)).rejects.toThrow("the copy of the project's files is gone");
    rmSync(kept.folder, { recursive: true });
    await expect(listKept(world.place, kept)).rejects.toThrow("the copy of the project's files is gone");
  });

  it("equal contents are copied once", async () => {
    const { kept } = await keptWorld(false);
    if (kept.type !== "copy") throw new Error("it is copied");
    expect(readdirSync(kept.folder)).toHaveLength(5);
  });
});
