import type { Ending, Family } from "../ending.ts";
import { CLAIMS } from "./claims.ts";
import { DOUBLES } from "./doubles.ts";
import { HONEST } from "./honest.ts";
import { LOOP } from "./loop.ts";
import { RUNNERS } from "./runners.ts";
import { SCRIPTS } from "./scripts.ts";
import { SOURCE } from "./source.ts";
import { TESTS } from "./tests.ts";
import { UNSEEN } from "./unseen.ts";

const FAMILIES: { readonly [family in Exclude<Family, "mechanisms">]: readonly Omit<Ending, "family">[] } = {
  honest: HONEST,
  tests: TESTS,
  source: SOURCE,
  scripts: SCRIPTS,
  runners: RUNNERS,
  doubles: DOUBLES,
  claims: CLAIMS,
  loop: LOOP,
  unseen: UNSEEN,
};

export const ENDINGS: readonly Ending[] = (Object.keys(FAMILIES) as (keyof typeof FAMILIES)[]).flatMap(
  (family) => FAMILIES[family].map((ending) => ({ ...ending, family })),
);
