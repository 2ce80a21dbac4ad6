import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkSiteOf } from "../../opening/checks-of-loop.ts";
import type { Check } from "../../../core/loop/criterion.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { keepHoldout, readHoldout } from "../../../verify/holdouts/kept-holdout.ts";
import type { DrawnShape } from "../../../core/questions/shape/draw-shape.ts";
import { checkOf } from "../../../core/questions/shape/find-check.ts";
import type { TestAnswer } from "../../../core/questions/shape/shape-question.ts";
import { complaintAboutTest, testAnswer, testText } from "../../../core/questions/shape/shape-question.ts";
import type { CommandOutcome } from "../../../system/process/run-command.ts";
import { RoomError } from "../../../system/room/scratch.ts";
import { forgetAnswers } from "../../run/turn-folder.ts";
import { runInCleanRoom } from "./run-at-tip.ts";
import { askModel, stagesOf, type StageContext } from "./stage-context.ts";

const MOST_TESTS = 3;
const TESTS = /^tests pass/;
/** Exit codes of shells for commands that aren't there, or aren't programs. */
const CANNOT_RUN = new Set([126, 127]);

interface KeptTest extends TestAnswer {
  readonly criterion: string;
}

/**
 * For criteria without a check, tests that fail now, from a session other than those that will do the work. Where the user agrees
 * they are held out: outside the project, for the end. Nothing is written into the project.
 */
export async function proposeTests(context: StageContext, drawn: DrawnShape): Promise<DrawnShape> {
  const { live, machine, asker, person, facts, tell } = context;
  const { wishes } = stagesOf(live.loop);
  const which = { home: machine.home, root: live.project.root, id: live.id };
  const known = await facts();
  const tests = known.checks.find(({ name }) => TESTS.test(name));
  const open = drawn.shape.criteria.filter(({ check }) => check === null).slice(0, MOST_TESTS);
  const isWanted = asker !== null && (person !== null || wishes.keepsTests);
  if (!isWanted || tests === undefined || open.length === 0 || readHoldout(which) !== null) return drawn;
  const over = known.checkFolder ?? live.loop.folder;
  const check = checkOf(tests.command, wishes.checkTimeoutMs, known.checkFolder);
  if (!(await isGreen(context, check, null))) {
    tell({
      type: "note",
      text: "The project's tests fail now, so nobody could tell whether a new one does.",
    });
    return drawn;
  }
  const kept: KeptTest[] = [];
  for (const [index, { name: criterion }] of open.entries()) {
    const id = `test-${index + 1}`;
    const test = await askModel(context, {
      purpose: "test",
      id,
      text: testText(topFrame(live.loop).spec, criterion, tests, known),
      schema: testAnswer,
      complaint: (answer) => complaintAboutTest(answer, known, over),
    });
    forgetAnswers(live.project, live.id, id);
    // It runs outside the project, but on this machine: a person reads it before.
    if (test === null || (person !== null && !(await person.keeps({ criterion, ...test })))) continue;
    const outcome = await outcomeOf(context, check, test);
    if (outcome !== null && failsNow(outcome)) kept.push({ criterion, ...test });
    else tell({ type: "note", text: `The test for "${criterion}" doesn't fail now, so it shows nothing.` });
  }
  if (kept.length === 0) return drawn;
  await holdOut(which, kept, check, over);
  const decision = `Held out, and run at the end: a test of ${kept.map(({ criterion }) => `"${criterion}"`).join(", ")}.`;
  return { ...drawn, shape: { ...drawn.shape, decisions: [...drawn.shape.decisions, decision] } };
}

function failsNow({ ending }: CommandOutcome): boolean {
  return ending.type === "exited" && ending.code !== 0 && !CANNOT_RUN.has(ending.code);
}

async function isGreen(context: StageContext, check: Check, test: TestAnswer | null): Promise<boolean> {
  const ending = (await outcomeOf(context, check, test))?.ending;
  return ending?.type === "exited" && ending.code === 0;
}

/** The project's tests with one more, in a clean room; null: there is none here. */
async function outcomeOf(
  { machine, chosen, interrupts }: StageContext,
  check: Check,
  test: TestAnswer | null,
): Promise<CommandOutcome | null> {
  const replacements =
    test === null ? [] : [{ path: test.file, content: Buffer.from(test.content), mode: "100644" as const }];
  try {
    const site = checkSiteOf(machine, chosen, interrupts.now);
    return await runInCleanRoom(machine, site, check, replacements, interrupts.now);
  } catch (error) {
    if (interrupts.now.aborted || error instanceof RoomError) return null;
    throw error;
  }
}

/** In the state home, next to the loop's approval record. Two tests of one name are one file: the later stays out. */
async function holdOut(
  which: Parameters<typeof keepHoldout>[0],
  tests: readonly KeptTest[],
  check: Check,
  over: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "loop-tests-"));
  try {
    const inFolder = over === "" ? 0 : over.length + 1;
    const contents = new Map(tests.toReversed().map(({ file, content }) => [file.slice(inFolder), content]));
    for (const [path, content] of contents) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content, { mode: 0o600 });
    }
    const name = `holdout: ${tests.map(({ criterion }) => criterion).join(", ")}`.slice(0, 80);
    await keepHoldout(which, { folder, over, paths: [...contents.keys()], checks: [{ name, check }] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
