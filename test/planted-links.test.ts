import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprintOf } from "./support/traces.ts";
import { Sandbox } from "./support/sandbox.ts";

/** A folder of the user's outside the project, with a file of the names that would be written. */
function elsewhere({ home }: Sandbox): string {
  const folder = join(home, "documents");
  mkdirSync(folder);
  for (const name of ["SHAPE.md", "thesis.1.a.tmp"]) writeFileSync(join(folder, name), "mine\n");
  return folder;
}

function expectUntouched(folder: string): void {
  expect(readdirSync(folder).toSorted()).toEqual(["SHAPE.md", "thesis.1.a.tmp"]);
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), "utf8")).toBe("mine\n");
}

describe("a link below .loop/", () => {
  test.each([".loop", ".loop/loops", ".loop/shape"])(
    "at %s opens no loop, and nothing behind it changes",
    (name) => {
      const sandbox = new Sandbox();
      const folder = elsewhere(sandbox);
      mkdirSync(dirname(join(sandbox.root, name)), { recursive: true });
      symlinkSync(folder, join(sandbox.root, name));
      const ran = sandbox.loop("start", "Fix it", "-c", "ok=false");
      expect(ran).toMatchObject({ code: 1, out: "" });
      expect(ran.err).toContain(`${name} is a link, which is not followed; delete the link.`);
      expectUntouched(folder);
    },
  );

  test.each(["loops", "loops/ID", "loops/ID/evidence", "loops/ID/runs", "shape"])(
    "that took the place of %s stops its loop",
    (path) => {
      const sandbox = new Sandbox();
      const { id } = sandbox.start("s1", "Fix it", "-c", "ok=false");
      const folder = elsewhere(sandbox);
      const place = join(sandbox.root, ".loop", path.replace("ID", id));
      // What is behind the link looks like what was there.
      if (existsSync(place)) cpSync(place, folder, { recursive: true, force: false });
      const before = fingerprintOf(folder);
      rmSync(place, { recursive: true, force: true });
      symlinkSync(folder, place);
      const ran = sandbox.loop("check", "--loop", id);
      expect(ran.code).toBe(1);
      expect(ran.err).toContain(`${join(".loop", path.replace("ID", id))} is a link, which is not followed`);
      expect(sandbox.stop("s1").out).toContain("is a link");
      expect(fingerprintOf(folder)).toEqual(before);
    },
  );

  test("is not approved with its loop", () => {
    const author = new Sandbox();
    const { id } = author.start("s1", "Fix it", "-c", "ok=false");
    const sandbox = new Sandbox();
    mkdirSync(join(sandbox.root, ".loop"));
    symlinkSync(join(author.root, ".loop", "loops"), join(sandbox.root, ".loop", "loops"));
    const ran = sandbox.loop("trust", "--yes");
    expect(ran.err).toContain(`The loop ${id} cannot be approved: .loop/loops is a link`);
  });
});

describe("what is kept is for its user's eyes only", () => {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test("folders and files, of the project and of the state home", () => {
    const sandbox = new Sandbox();
    const { id } = sandbox.start("s1", "Fix it", "-c", "ok=false");
    sandbox.loop("check");
    const loops = join(sandbox.root, ".loop", "loops");
    const state = join(sandbox.home, "state", "loopwright");
    for (const folder of [loops, join(loops, id), join(loops, id, "evidence"), state])
      expect(modeOf(folder)).toBe("700");
    const files = [loops, state].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\/objects\//.test(entry.parentPath))
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    const own = ["state.json", "PROGRESS.md", "shape/SHAPE.md"].map((name) =>
      join(sandbox.root, ".loop", name),
    );
    expect([...files, ...own].filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  });

  test("those that an earlier version left open are closed when they are opened", () => {
    const sandbox = new Sandbox();
    sandbox.start("s1", "Fix it", "-c", "ok=false");
    const folders = [join(sandbox.root, ".loop", "loops"), join(sandbox.home, "state", "loopwright")];
    for (const folder of folders) chmodSync(folder, 0o755);
    sandbox.loop("status");
    expect(folders.map(modeOf)).toEqual(["700", "700"]);
  });
});
