import { describe, expect, test } from "vitest";
import { findCycle, inOrder, inWaves, remainingPaths, wavesOf, type Node } from "./graph.ts";

const node = (id: string, ...blockedBy: readonly string[]): Node => ({ id, blockedBy });
const diamond = [node("d", "b", "c"), node("b", "a"), node("c", "a"), node("a"), node("alone")];
const ids = (nodes: readonly Node[]): readonly string[] => nodes.map(({ id }) => id);

describe("a plan's graph", () => {
  test("has a wave for each level, one above the highest blocker", () => {
    expect(Object.fromEntries(wavesOf(diamond))).toEqual({ a: 1, b: 2, c: 2, d: 3, alone: 1 });
    expect(inWaves(diamond).map(ids)).toEqual([["a", "alone"], ["b", "c"], ["d"]]);
  });

  test("lists blockers before those whom they block, else as the plan has them", () => {
    expect(ids(inOrder(diamond))).toEqual(["a", "alone", "b", "c", "d"]);
  });

  test("measures from each task to the end of the longest chain behind it", () => {
    const lengths: { readonly [id: string]: number } = { a: 1, b: 5, c: 2, d: 1, alone: 3 };
    const paths = remainingPaths(diamond, ({ id }) => lengths[id] ?? 0);

    expect(Object.fromEntries(paths)).toEqual({ a: 7, b: 6, c: 3, d: 1, alone: 3 });
  });

  test("takes no notice of blockers that aren't tasks, or are named twice", () => {
    const nodes = [node("a", "nowhere"), node("b", "a", "a")];

    expect(Object.fromEntries(wavesOf(nodes))).toEqual({ a: 1, b: 2 });
    expect(findCycle(nodes)).toBeNull();
  });

  test.each([
    ["of one", [node("a", "a")], ["a"]],
    [
      "of three, behind a task that is no part of it",
      [node("x", "a"), node("a", "b"), node("b", "c"), node("c", "a")],
      ["a", "b", "c"],
    ],
  ])("names the tasks of a cycle %s", (_, nodes, cycle) => {
    expect(findCycle(nodes)).toEqual(cycle);
    expect(() => wavesOf(nodes)).toThrow("cycle");
  });

  test("has no cycle where two ways lead to the same task", () => {
    expect(findCycle(diamond)).toBeNull();
  });

  test("may be one long chain", () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => node(`${index}`, `${index - 1}`)).toReversed();

    expect(findCycle(chain)).toBeNull();
    expect(wavesOf(chain).get("19999")).toBe(20_000);
    expect(remainingPaths(chain, () => 1).get("0")).toBe(20_000);
  });

  test("may be empty", () => {
    expect(inOrder([])).toEqual([]);
    expect(findCycle([])).toBeNull();
  });
});
