import { expect, test } from "vitest";
import { loopWith } from "../../test/support/loop-builders.ts";
import type { CompletedLoop } from "./completion.ts";
import { commitMessage } from "./commit-message.ts";

test("a long wish is cut between words in the subject, and whole in the text", () => {
  const completed = { type: "loop.completed", confidence: "unverified", why: [], changed: null } as const;
  const messageOf = (spec: string): string =>
    commitMessage(loopWith({ goal: { spec } }, completed) as CompletedLoop, []);
  const spec = "parseQuery in src/query.js: decode, collect repeated keys, {} for nothing at all";
  expect(messageOf(spec)).toMatch(
    /^parseQuery in src\/query\.js: decode, collect repeated keys, \{\} for …\n\nWanted: parseQuery .* at all\n\n/,
  );
  expect(messageOf("Fix total()")).not.toContain("Wanted");
});
