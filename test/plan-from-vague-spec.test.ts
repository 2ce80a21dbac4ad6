import { describe, expect } from "vitest";
import { effort } from "./support/effort.ts";
import { missingPty } from "./support/pty.ts";
import {
  STAGES_AFTER_SHAPE,
  WHOLE_FILES,
  WHOLE_SCRIPTS,
  answerQuestions,
  expectTold,
  goOn,
} from "./support/whole-story.ts";
import { WorkflowStage } from "./support/workflow-stage.ts";
import { variant } from "./support/variant.ts";

describe.skipIf(missingPty() !== null)("a vague spec", () => {
  variant(
    "becomes questions, a shape, a plan, advised and reviewed work, a remedy and a completion, though it is stopped in every stage",
    async () => {
      const stage = new WorkflowStage(WHOLE_FILES);
      const [turn] = WHOLE_SCRIPTS["shape"] ?? [];
      const shape = [{ ...turn, do: [{ run: stage.meet("shape") }] }];
      const agent = stage.rehearsing({ ...WHOLE_SCRIPTS, shape });
      const story = { stage, agent, env: {}, drive: (...args: readonly string[]) => stage.drive(args) };
      await answerQuestions(story);
      const kills = STAGES_AFTER_SHAPE.filter((_, index) => index % effort(3, 1) === 0);
      const { out } = await goOn(story, kills);
      expectTold(story);
      expect(out).toMatch(
        /<loop-complete>[^]*🟢 SHIP[^]*Review: passed, 9\/10 in round 2[^]*<\/loop-complete>/,
      );
    },
    240_000,
  );
});
