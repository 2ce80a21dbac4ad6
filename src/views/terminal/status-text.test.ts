import { expect, test } from "vitest";
import { checked, loopWith } from "../../../test/support/loop-builders.ts";
import { statusView } from "../status.ts";
import { statusText } from "./status-text.ts";
import { createTerminal } from "./terminal.ts";

const terminal = { ...createTerminal({ NO_COLOR: "1" }, process), width: 60 };
const VIEW = { ...statusView(loopWith({ goal: { criteria: [checked("tests")] } }), null), stuckCount: 2 };

test("how long a loop was stuck is no matter once it is done", () => {
  expect(statusText(terminal, VIEW, 0)).toContain(" · stuck 2");
  expect(statusText(terminal, { ...VIEW, phase: "completed" }, 0)).not.toContain("stuck");
});

test("a command to copy is shown whole on a narrow terminal, and words are not", () => {
  const command = `cd /${"folder/".repeat(20)} && loop continue --loop some-loop-a1b2`;
  expect(statusText(terminal, { ...VIEW, next: command }, 0)).toContain(`next: ${command}`);
  expect(statusText(terminal, { ...VIEW, next: "word ".repeat(40) }, 0)).toContain("…");
});
