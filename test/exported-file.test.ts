import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

test("the file of an export is no part of the work, and takes the place of a link", () => {
  const sandbox = new Sandbox({ "a.txt": "a\n" });
  sandbox.commitAll();
  const { id } = sandbox.start("s1", "Write done.txt", "-c", "done=test -f done.txt");
  const place = join(sandbox.root, ".loop", `${id}.html`);
  const thesis = join(sandbox.home, "thesis.txt");
  writeFileSync(thesis, "mine\n");
  symlinkSync(thesis, place);

  expect(sandbox.spawnLoop("export").out).toMatch(new RegExp(`/\\.loop/${id}\\.html: \\d+ kB\n$`));
  expect(readFileSync(place, "utf8")).toContain("Write done.txt");
  expect(readFileSync(thesis, "utf8")).toBe("mine\n");
  expect(sandbox.git("status", "--short")).toBe("");
});
