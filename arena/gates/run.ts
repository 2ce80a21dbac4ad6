import type { Gate } from "../play.ts";
import { heldFor, lastLine, openingOf, statusOf, sureness, type Proof } from "./ours.ts";

/** `loop run`, by its exit code alone. */
export function driven(proof: Proof): Gate {
  return {
    name: `loop run, ${proof}`,
    what: `\`loop run --proof ${proof}\`; 0 is verified, 6 is weak`,
    isOurs: true,
    judge: async (world, play) => {
      const opening = openingOf(play, proof);
      const ran = await world.loop("run", ...opening, "--agent", "command", "--command", world.agent);
      const status = await statusOf(world);
      if (ran.code === 0) return { verdict: "verified", reason: sureness(status) };
      if (ran.code === 6) return { verdict: "weak", reason: sureness(status) };
      return heldFor(status, lastLine(ran.err));
    },
  };
}
