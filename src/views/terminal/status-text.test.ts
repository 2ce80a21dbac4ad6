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

test("a run that waits for a usage limit says so, until the limit is over", () => {
  const live = { doing: "waiting", until: "1970-01-01T00:10:00.000Z" } as unknown as typeof VIEW.live;
  const waits = "active (waits 9 min 0 s for a usage limit, and resumes by itself) ";
  expect(statusText(terminal, { ...VIEW, live }, 60_000)).toContain(waits);
  expect(statusText(terminal, { ...VIEW, live }, 600_000)).not.toContain("waits");
});

test("a command to copy is shown whole on a narrow terminal, and words are not", () => {
  const command = `cd /${"folder/".repeat(20)} && loop continue --loop some-loop-a1b2`;
  expect(statusText(terminal, { ...VIEW, next: command }, 0)).toContain(`next: ${command}`);
  expect(statusText(terminal, { ...VIEW, next: "word ".repeat(40) }, 0)).toContain("…");
});
