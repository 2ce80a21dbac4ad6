import { describe, expect, test } from "vitest";
import { checked, loopWith, task, unchecked } from "../../../test/support/loop-builders.ts";
import type { LoopEvent } from "../events/event.ts";
import { eventsOfClaims, blockedReason } from "./claims.ts";
import { SAID_NOTHING, type Claim, type Said } from "./facts.ts";

const source = "status-block";
const met = (name: string): Claim => ({ type: "met", name, by: "reasoned inference", source });
const unmet = (name: string): Claim => ({ type: "unmet", name, source });
const stepDone = (name: string): Claim => ({ type: "step-done", name, source });
const taskDone = (name: string): Claim => ({ type: "task-done", name, source });
const next = (text: string): Claim => ({ type: "next", text });
const exit: Claim = { type: "exit", source };
const vouched: LoopEvent = {
  type: "criterion.attested",
  name: "docs",
  by: "reasoned inference",
  actor: "agent",
  note: null,
  source,
};

const goal = { criteria: [checked("tests"), unchecked("docs")], steps: ["docs", "parse"] };

function said(...claims: readonly Claim[]): Said {
  return { ...SAID_NOTHING, claims };
}

function eventsOf(words: Said, ...before: readonly LoopEvent[]): readonly LoopEvent[] {
  return eventsOfClaims(loopWith({ goal }, ...before), words);
}

describe("claims", () => {
  test.each<readonly [title: string, events: readonly LoopEvent[], expected: readonly LoopEvent[]]>([
    ["a word for a criterion without a check attests it", eventsOf(said(met("docs"))), [vouched]],
    ["a word for a criterion with a check adds nothing", eventsOf(said(met("tests"))), []],
    ["a word that was given before is not repeated", eventsOf(said(met("docs")), vouched), []],
    [
      "a word is taken back",
      eventsOf(said(unmet("docs")), vouched),
      [{ type: "criterion.disclaimed", name: "docs", source }],
    ],
    ["a word that was never given is not taken back", eventsOf(said(unmet("docs"))), []],
    [
      "what the agent would do next is its last word about that",
      eventsOf(said(next("Parse"), next("Fix the parser"))),
      [{ type: "next.said", text: "Fix the parser" }],
    ],
    [
      "what it would do next is not said twice",
      eventsOf(said(next("Parse")), { type: "next.said", text: "Parse" }),
      [],
    ],
    [
      "what it no longer says is forgotten",
      eventsOf(said(), { type: "next.said", text: "Parse" }),
      [{ type: "next.said", text: null }],
    ],
    ["unknown names are ignored", eventsOf(said(met("x"), unmet("y"), stepDone("z"))), []],
    ["of two words about one criterion the last counts", eventsOf(said(met("docs"), unmet("docs"))), []],
    [
      "of two words about one criterion the last counts, the other way round",
      eventsOf(said(unmet("docs"), met("docs"))),
      [vouched],
    ],
    [
      "a step and a criterion of one name are two things",
      eventsOf(said(met("docs"), stepDone("docs"))),
      [vouched, { type: "step.finished", name: "docs", source }],
    ],
    [
      "a step that is done already is not done again",
      eventsOf(said(stepDone("parse")), { type: "step.finished", name: "parse", source }),
      [],
    ],
    [
      "a task is completed by its subject, whatever else it is",
      eventsOf(said(taskDone("subject of 1")), task("1", "in_progress"), task("2", "pending")),
      [task("1", "completed")],
    ],
    [
      "a task that is completed already, and one that nobody knows, are not",
      eventsOf(said(taskDone("subject of 1"), taskDone("subject of 2")), task("1", "completed")),
      [],
    ],
    ["an exit signal counts once", eventsOf(said(exit, exit)), [{ type: "exit.signalled", source }]],
    [
      "an exit signal that stands is not repeated",
      eventsOf({ ...said(exit), marker: true }, { type: "exit.signalled", source }),
      [],
    ],
    [
      "the marker is an exit signal",
      eventsOf({ ...SAID_NOTHING, marker: true }),
      [{ type: "exit.signalled", source: "marker" }],
    ],
    [
      "the marker beside an exit signal adds nothing",
      eventsOf({ ...said(exit), marker: true }),
      [{ type: "exit.signalled", source }],
    ],
    ["an obstacle is no event of its own", eventsOf(said({ type: "blocked", reason: "x" })), []],
    ["nothing said is no event", eventsOf(SAID_NOTHING), []],
  ])("%s", (_, events, expected) => {
    expect(events).toEqual(expected);
  });

  test("the marker is no exit signal under another rule", () => {
    const loop = loopWith({ goal: { exitRule: "marker" } });

    expect(eventsOfClaims(loop, { ...SAID_NOTHING, marker: true })).toEqual([]);
  });

  test("claims are about the frame at work", () => {
    const loop = loopWith(
      { goal },
      {
        type: "frame.pushed",
        goal: { ...goal, criteria: [], exitRule: "criteria", spec: "inner", mode: "loop", iterationLimit: 1 },
        by: "agent",
      },
    );

    expect(eventsOfClaims(loop, said(met("docs")))).toEqual([]);
  });
});

describe("an obstacle", () => {
  test("is the last one that was named", () => {
    expect(
      blockedReason(said({ type: "blocked", reason: "a" }, exit, { type: "blocked", reason: "b" })),
    ).toBe("b");
  });

  test("is none where none was named", () => {
    expect(blockedReason(said(exit))).toBeNull();
  });
});
