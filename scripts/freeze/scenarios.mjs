import { SESSION_SCENARIOS } from "./session-scenarios.mjs";
import { RUN_SCENARIOS } from "./run-scenarios.mjs";
import { ADOPTION_SCENARIOS } from "./adoption-scenarios.mjs";
import { PLAN_SCENARIOS } from "./plan-scenarios.mjs";

/** By name: what is played in a project of its own. Together they tell every event that can be told. */
export const SCENARIOS = { ...SESSION_SCENARIOS, ...RUN_SCENARIOS, ...ADOPTION_SCENARIOS, ...PLAN_SCENARIOS };
