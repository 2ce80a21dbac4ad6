import { describe, expect, it } from "vitest";
import { BaselineWorld } from "../../../test/support/opening-world.ts";
import { noteWritten } from "./loop-baselines.ts";
import { asJudged, asReverted } from "./replacements.ts";

const ELF = "\u007FELF\u0002\u0001";
const FILES = {
  Makefile: "test: cart_test\n\t./cart_test\ncart_test: cart.c test_cart.c\n\t$(CC) -o $@ $^\n.PHONY: test\n",
  "cart.c": "int a;\n",
  "test_cart.c": "int main(void) { return 0; }\n",
  cart_test: `${ELF} old`,
};

async function opened(files = FILES): Promise<BaselineWorld> {
  const world = new BaselineWorld(files, "make test");
  await world.open();
  return world;
}

describe("what a check builds", () => {
  it("defines nothing, isn't source, and is built again", async () => {
    const world = await opened();
    world.write({ "cart.c": "int b;\n", cart_test: `${ELF} new`, "cart.o": `${ELF} o` });
    const comparison = await world.compare();
    const check = await world.compared();
    expect(check.changes).toEqual([{ kind: "built", path: "cart_test", part: null, change: "changed" }]);
    expect(comparison.changes.files).toMatchObject({ source: ["cart.c"], definitions: [], tests: [] });
    expect(await asJudged(world.place, check)).toMatchObject([{ path: "cart_test", isStale: true }]);
    const reverted = await asReverted(world.place, comparison, check);
    expect(reverted?.map(({ path }) => path)).toEqual(["cart.c"]);
  });

  it("is known by its rule and by whoever wrote it, too", async () => {
    const world = await opened({ ...FILES, cart_test: "" });
    world.write({ cart_test: "#!/bin/sh\n", "tests/made.txt": "made\n" });
    noteWritten(world.which, ["tests/made.txt"]);
    expect([...(await world.compare()).built].toSorted()).toEqual(["cart_test", "tests/made.txt"]);
  });

  it("is what its own run at the opening left there, but for code", async () => {
    const before = { ...FILES, ".result.cache": "1\n", "made.c": "int c;\n" };
    const world = await opened(before);
    noteWritten(world.which, [".result.cache", "made.c"]);
    world.write({ ".result.cache": "2\n", "made.c": "int d;\n" });
    const comparison = await world.compare();
    expect([...comparison.built]).toEqual([".result.cache"]);
    expect(comparison.changes.files?.source).toEqual(["made.c"]);
  });

  it("is no source that was there, whatever a rule says now", async () => {
    const world = await opened();
    world.write({
      "test_cart.c": "int main;\n",
      Makefile: `${FILES.Makefile}test_cart.c: cart.c\n\ttouch $@\n`,
    });
    expect((await world.compare()).built.size).toBe(0);
  });
});
