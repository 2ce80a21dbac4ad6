import { expect, test } from "vitest";
import { unwatchedLimits } from "./work-boundary.ts";

const KEPT = [{ kind: "path", glob: "src/legacy.js" }] as const;

test.each<
  readonly [spec: string, mustNots: Parameters<typeof unwatchedLimits>[0]["mustNots"], isNamed: boolean]
>([
  ["Fix total(). The public API must not change.", [], true],
  ["Fix total(). Leave src/legacy.js alone.", [], true],
  ["Fix total(). Leave src/legacy.js alone.", KEPT, false],
  ["Fix total(). Do not change src/legacy.js.", KEPT, false],
  ["Fix total(). Do not change src/legacy.js and src/old.js.", KEPT, true],
  ["Fix total(). Do not change src/legacy.js.", [{ kind: "path", glob: "**" }], true],
  ["Fix total() until npm test passes.", [], false],
])("%j beside %j leaves something unwatched: %j", (spec, mustNots, isNamed) => {
  expect(unwatchedLimits({ spec, mustNots }).length > 0).toBe(isNamed);
});
