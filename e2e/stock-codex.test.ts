import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { codexAgent } from "./agents/codex.ts";
import { describeStock } from "./describe-stock.ts";

/** Its sandbox lets it write in /tmp, and nowhere else outside the project: not in the state home of a usual machine. */
const OUTSIDE = "/var/tmp";

describeStock(
  {
    ...codexAgent,
    environment(home, model) {
      const state = mkdtempSync(join(OUTSIDE, "loopwright-state-"));
      onTestFinished(() => rmSync(state, { recursive: true, force: true }));
      return { ...codexAgent.environment(home, model), XDG_STATE_HOME: state };
    },
  },
  [
    {
      title: "write outside the project",
      move: { write: join(OUTSIDE, "loopwright-outside.txt"), text: "outside\n" },
      makes: join(OUTSIDE, "loopwright-outside.txt"),
      flag: "--permission-mode danger-full-access",
    },
  ],
);
