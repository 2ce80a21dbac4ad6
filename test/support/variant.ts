import { test } from "vitest";
import { isCiEffort } from "./effort.ts";

/** A test of what another one shows in another way: `.ci/run` runs it, a usual run doesn't. */
export const variant = test.runIf(isCiEffort);
