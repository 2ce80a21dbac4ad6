import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Loop } from "../src/core/loop/loop.ts";
import { topFrame } from "../src/core/loop/loop.ts";
import { AT_THE_BEGINNING } from "../src/storage/journal/journal.ts";
import { followEntries } from "../src/storage/loops/journal-entries.ts";
import type { LiveLoop } from "../src/storage/loops/live-loop.ts";
import type { Fixture } from "./programs/journal-fixture.ts";
import { loadLoop, openFixture } from "./programs/journal-fixture.ts";
import { PATIENT } from "./support/patience.ts";

let fixture: Fixture;
beforeEach(() => {
  fixture = openFixture();
});
afterEach(() => fixture.remove());

async function open(): Promise<LiveLoop> {
  return (await loadLoop(fixture.project, fixture.id)).live;
}

const stepsOf = (loop: Loop): number => topFrame(loop).steps.length;

/** Adds a step, and tells how many there were when it was decided. */
async function addStep(live: LiveLoop, name: string, decidedOn: number[]): Promise<void> {
  await live.record((loop) => {
    decidedOn.push(stepsOf(loop));
    return [{ type: "step.added", name }];
  });
}

describe("one live loop, used by several at once", () => {
  test.each([0, 1, 2, 3, 4, 6, 9])(
    "decides on what is there when it appends, however the calls overlap (%i)",
    async (lag) => {
      const live = await open();
      const decidedOn: number[] = [];
      const first = addStep(live, "first", decidedOn);
      for (let turn = 0; turn < lag; turn += 1) await Promise.resolve();
      await Promise.all([first, addStep(live, "second", decidedOn)]);

      // Whoever was second has decided on what the first one wrote.
      expect(decidedOn.at(-1)).toBe(1);
      expect(stepsOf(live.loop)).toBe(2);
      expect(stepsOf((await open()).loop)).toBe(2);
    },
  );
});

describe("a change by somebody else", () => {
  test("is seen by a refresh, which tells the same loop when there is none", async () => {
    const [one, other] = [await open(), await open()];
    const before = one.loop;
    expect(await one.refresh()).toBe(before);
    await addStep(other, "theirs", []);
    expect(stepsOf(one.loop)).toBe(0);
    expect(stepsOf(await one.refresh())).toBe(1);
  });

  test("is told once to who listens, and nothing is told after the end", async () => {
    const [one, other] = [await open(), await open()];
    const told: number[] = [];
    const failed = vi.fn();
    const end = one.onChange({ changed: (loop) => told.push(stepsOf(loop)), failed });
    await vi.waitFor(() => expect(told).toEqual([0]), PATIENT);
    await addStep(other, "theirs", []);
    await vi.waitFor(() => expect(told).toEqual([0, 1]), PATIENT);
    end();
    await addStep(other, "later", []);
    // As long as two looks take.
    await sleep(1_100);
    expect(told).toEqual([0, 1]);
    expect(failed).not.toHaveBeenCalled();
  });

  test("that deletes or damages the journal fails whoever looks or records", async () => {
    const live = await open();
    const bytes = readFileSync(fixture.journal);
    rmSync(fixture.journal);
    await expect(live.refresh()).rejects.toMatchObject({ code: "missing" });
    await expect(addStep(live, "a", [])).rejects.toMatchObject({ code: "missing" });
    writeFileSync(fixture.journal, Buffer.concat([bytes, Buffer.from("damage\n")]));
    await expect(addStep(live, "a", [])).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("a journal that is put in the place of the one that was read", () => {
  /** As `sed -i`, an editor or a checkout does it: another file under the same name. */
  function replaceBy(bytes: Buffer): void {
    writeFileSync(`${fixture.journal}.new`, bytes);
    renameSync(`${fixture.journal}.new`, fixture.journal);
  }

  test("is read whole, and is damaged where an earlier record is", async () => {
    const live = await open();
    await addStep(live, "a", []);
    await addStep(live, "b", []);
    const text = readFileSync(fixture.journal, "utf8");
    replaceBy(Buffer.from(text.replace('"name":"a"', '"name":"x"')));
    await expect(live.refresh()).rejects.toMatchObject({ code: "corrupt" });
    await expect(addStep(live, "c", [])).rejects.toMatchObject({ code: "corrupt" });
  });

  test("is fine as a copy, also of one that grew", async () => {
    const [live, other] = [await open(), await open()];
    await addStep(live, "a", []);
    replaceBy(readFileSync(fixture.journal));
    await addStep(other, "b", []);
    expect(stepsOf(await live.refresh())).toBe(2);
  });

  test("of another loop is not taken for it", async () => {
    const live = await open();
    await addStep(live, "a", []);
    const another = openFixture();
    const bytes = readFileSync(another.journal);
    another.remove();
    replaceBy(bytes);
    await expect(live.refresh()).rejects.toMatchObject({ code: "corrupt" });
  });
});

test("of two that follow at the same time, each is told every event once", async () => {
  const live = await open();
  const follow = followEntries(live.journal);
  await addStep(live, "a", []);
  const [one, other] = await Promise.all([follow(), follow()]);
  expect([...one, ...other].map(({ seq }) => seq)).toEqual([1, 2]);
  const seen: number[] = [];
  await live.journal.follow(AT_THE_BEGINNING).next((_record, { seq }) => seen.push(seq));
  expect(seen).toEqual([1, 2]);
});
