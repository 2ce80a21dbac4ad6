import { test } from "vitest";
import { isCiEffort } from "./effort.ts";

/** A test of what another one shows in another way: `.ci/run` runs it, a usual run doesn't. */
// oxlint-disable-next-line vitest/expect-expect, vitest/no-disabled-tests, vitest/valid-title -- its callers have all of it
export const variant = test.runIf(isCiEffort);
