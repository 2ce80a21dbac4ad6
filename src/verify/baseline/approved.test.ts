import { expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { withApproved } from "./approved.ts";
import { keepFiles, type Kept } from "./kept-files.ts";
import { asJudged } from "./replacements.ts";

const FILES = { "src/a.js": "a1\n", "test/a.test.js": "a1\n", "test/b.test.js": "b1\n" };

async function openedWorld(): Promise<BaselineWorld> {
  const world = new BaselineWorld(FILES, "node --test");
  await world.open({ exitCode: 0, report: null });
  return world;
}

async function approvedNow(world: BaselineWorld, stamp: string): Promise<Kept> {
  const where = { ref: `refs/loopwright/other/${stamp}`, folder: `${world.home}/${stamp}`, message: stamp };
  return keepFiles(world.place, where, await world.reading());
}

/** The files that still judge, as they do so. */
async function judges(world: BaselineWorld, approved: readonly { kept: Kept; paths: readonly string[] }[]) {
  const moved = await withApproved(world.place, await world.compare(), await world.compared(), approved);
  const files = await asJudged(world.place, moved);
  return Object.fromEntries((files ?? []).map(({ path, content }) => [path, content?.toString() ?? null]));
}

it("what is as approved judges no more, and other changes do", async () => {
  const world = await openedWorld();
  world.write({ "test/a.test.js": "a2\n", "test/b.test.js": "b2\n" });
  const kept = await approvedNow(world, "one");
  expect(await judges(world, [{ kept, paths: ["test/a.test.js"] }])).toEqual({ "test/b.test.js": "b1\n" });
  expect(await judges(world, [])).toEqual({ "test/a.test.js": "a1\n", "test/b.test.js": "b1\n" });
});

it("what changed after its approval is judged by what was approved last", async () => {
  const world = await openedWorld();
  const approved: { kept: Kept; paths: readonly string[] }[] = [];
  for (const text of ["a2\n", "a3\n"]) {
    world.write({ "test/a.test.js": text });
    approved.push({ kept: await approvedNow(world, text.trim()), paths: ["test/a.test.js"] });
  }
  world.write({ "test/a.test.js": "a4\n" });
  expect(await judges(world, approved)).toEqual({ "test/a.test.js": "a3\n" });
});

it("an approved removal is one, and coming back otherwise isn't approved", async () => {
  const world = await openedWorld();
  world.write({ "test/a.test.js": null });
  const approved = [{ kept: await approvedNow(world, "gone"), paths: ["test/a.test.js"] }];
  const judged = async (): Promise<readonly string[]> => {
    const moved = await withApproved(world.place, await world.compare(), await world.compared(), approved);
    return moved.judged.map(({ path }) => path);
  };
  expect(await judged()).toEqual([]);
  world.write({ "test/a.test.js": "a2\n" });
  expect(await judged()).toEqual(["test/a.test.js"]);
});
