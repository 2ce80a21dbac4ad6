import { describe, expect, expectTypeOf, it } from "vitest";
import { EVENT_VERSION } from "../../core/events/event.ts";
import { opening } from "../../../test/programs/journal-fixture.ts";
import { parseEvent } from "./event-schema.ts";
import { upcast, type StoredEvent, type UpcastersFor } from "./upcast.ts";

const CONTINUED = { type: "loop.continued", addedUsd: 1, addedIterations: null, by: "person" };

const SETBACK = { kind: "red-together", detail: "npm test failed", carry: null };

describe("an event of an older version", () => {
  it("attempt.set-back 1 and merge.ended 1: nobody wrote down which checks failed after a merge", () => {
    const setBack = { type: "attempt.set-back", task: "T-1", number: 1, setback: SETBACK };
    expect(parseEvent({ ...setBack, v: 1 })).toEqual({
      type: "event",
      event: { ...setBack, setback: { ...SETBACK, failing: [] } },
    });
    const ended = {
      type: "merge.ended",
      merge: 1,
      accepted: [],
      setBack: [{ task: "T-1", setback: SETBACK }],
    };
    expect(parseEvent({ ...ended, v: 1 })).toEqual({
      type: "event",
      event: { ...ended, setBack: [{ task: "T-1", setback: { ...SETBACK, failing: [] } }] },
    });
    expect(parseEvent({ ...ended, setBack: { task: "T-1", setback: SETBACK }, v: 1 })).toMatchObject({
      type: "malformed",
    });
  });

  it("attempt.started 1 and attempt.finished 1: no share of tokens, and nobody doubted a result", () => {
    const started = {
      ...{ type: "attempt.started", task: "T-1", number: 1, loop: "t-1-a1b2", base: null, worktree: null },
      ...{ slot: 1, agent: "codex", reservedUsd: null },
    };
    const finished = { type: "attempt.finished", task: "T-1", number: 1, commit: null, confidence: "weak" };
    expect(parseEvent({ ...started, v: 1 })).toEqual({
      type: "event",
      event: { ...started, reservedTokens: null },
    });
    expect(parseEvent({ ...finished, v: 1 })).toEqual({ type: "event", event: { ...finished, doubts: [] } });
  });

  it("loop.opened 1: worked in the project's root", () => {
    const { folder: _folder, ...first } = opening();
    expect(parseEvent({ ...first, v: 1 })).toEqual({ type: "event", event: { ...first, folder: "" } });
  });

  it("loop.opened 1 knows no folder, whatever stands there", () => {
    expect(parseEvent({ ...opening(), folder: "../elsewhere", v: 1 })).toEqual({
      type: "event",
      event: { ...opening(), folder: "" },
    });
  });

  it.each([
    ["as the first programs wrote it", CONTINUED, { addedTokens: null, addedMinutes: null }],
    ["as later ones did", { ...CONTINUED, addedTokens: 7, addedMinutes: 3 }, {}],
  ])("loop.continued 1, %s", (_, stored, added) => {
    expect(parseEvent({ ...stored, v: 1 })).toEqual({ type: "event", event: { ...stored, ...added } });
  });

  it("criterion.attested 1: whoever said it counts as an agent, whatever stands there", () => {
    const said = {
      type: "criterion.attested",
      name: "docs",
      by: "observation",
      note: null,
      source: "command",
    };
    for (const stored of [said, { ...said, actor: "person" }])
      expect(parseEvent({ ...stored, v: 1 })).toEqual({ type: "event", event: { ...said, actor: "agent" } });
    expect(parseEvent({ ...said, v: 2 })).toEqual({ type: "malformed" });
  });

  it("is held to the schema of today after its last step", () => {
    expect(parseEvent({ ...CONTINUED, by: "nobody", v: 1 })).toEqual({ type: "malformed" });
  });
});

describe("an event of today's version", () => {
  it("takes no step", () => {
    expect(parseEvent({ ...opening({}, { folder: "packages/cart" }), v: 2 })).toMatchObject({
      event: { folder: "packages/cart" },
    });
    expect(parseEvent({ ...CONTINUED, v: 2 })).toEqual({ type: "malformed" });
    const { folder: _folder, ...first } = opening();
    expect(parseEvent({ ...first, v: 2 })).toEqual({ type: "malformed" });
  });
});

it("an event has no version below 1", () => {
  expect(parseEvent({ ...CONTINUED, v: 0 })).toEqual({ type: "malformed" });
});

describe("the table", () => {
  it("needs as many steps as a version has predecessors, or does not compile", () => {
    type Upcaster = (event: StoredEvent) => StoredEvent;
    interface Versions {
      readonly first: 1;
      readonly second: 2;
      readonly third: 3;
    }
    expectTypeOf<UpcastersFor<Versions>>().toEqualTypeOf<{
      readonly second: readonly [Upcaster];
      readonly third: readonly [Upcaster, Upcaster];
    }>();
    const same: Upcaster = (event) => event;
    // @ts-expect-error -- raised to 3, with the step to 2 alone
    const lacking: UpcastersFor<Versions> = { second: [same], third: [same] };
    expect(lacking).toBeDefined();
  });

  it("leaves every event that is at its current version as it is", () => {
    for (const [type, version] of Object.entries(EVENT_VERSION)) {
      const event = { type, v: version };
      expect(upcast(type as keyof typeof EVENT_VERSION, version, event)).toBe(event);
    }
  });
});
