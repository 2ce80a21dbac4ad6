import { describe } from "vitest";
import { isFullEffort } from "../../test/support/effort.ts";
import { claudeCodeClient } from "./claude-code.ts";
import { describeHeld } from "./describe-held.ts";

// The usual run has its first promise in plugin.test.ts.
describe.runIf(isFullEffort)("at full effort", () => {
  describeHeld(claudeCodeClient);
});
