import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { acpCandidate } from "./candidates/acp.ts";
import { claudeCodeCandidate } from "./candidates/claude-code.ts";
import { codexCandidate } from "./candidates/codex.ts";
import { commandCandidate } from "./candidates/command.ts";
import { geminiCliCandidate } from "./candidates/gemini-cli.ts";
import { opencodeCandidate } from "./candidates/opencode.ts";
import { rehearsalCandidate } from "./candidates/rehearsal.ts";
import { describeDriver } from "./conformance.ts";

const CANDIDATES = [
  claudeCodeCandidate,
  codexCandidate,
  geminiCliCandidate,
  opencodeCandidate,
  acpCandidate,
  commandCandidate,
  rehearsalCandidate,
];

for (const candidate of CANDIDATES) describeDriver(candidate.driver.id, candidate);

test.each(CANDIDATES.map(({ driver, specimens }) => [driver.id, specimens] as const))(
  "every recorded stream of %s has to be read",
  (id, specimens) => {
    const recorded = readdirSync(`test/streams/${id}`).map((name) => `${id}/${name}`);
    expect(recorded.toSorted()).toEqual([...new Set(specimens.map(({ file }) => file))].toSorted());
  },
);
