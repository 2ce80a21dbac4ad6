import { MOST_TURNS, type Gate, type Judged } from "../play.ts";

/** Both are what people write in an afternoon, and what most loops are. */
export const promise: Gate = {
  name: "a promise",
  what: "stops at the first claim in the agent's text",
  isOurs: false,
  judge: async (world) => {
    await world.turn();
    return { verdict: "verified", reason: "it says so" };
  },
};

export const exitCode: Gate = {
  name: "an exit code",
  what: "stops when the check exits with 0",
  isOurs: false,
  judge: async (world): Promise<Judged> => {
    for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
      await world.turn();
      if ((await world.check()).code === 0) return { verdict: "verified", reason: "the check exits with 0" };
    }
    return { verdict: "held", reason: "the check fails" };
  },
};
