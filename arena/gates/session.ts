import { MOST_TURNS, type Gate } from "../play.ts";
import type { World } from "../stage/world.ts";
import { heldFor, openingOf, statusOf, sureness } from "./ours.ts";

const MOST_WAITS = 10;
const SESSION = "arena-session";
const IN_SESSION = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };

/** `loop start`, and the hook at every stop of the session. */
export const session: Gate = {
  name: "session, standard",
  what: "`loop start` in a session of Claude Code, with the stop hook",
  isOurs: true,
  isForSessions: true,
  judge: async (world, play) => {
    const started = await world.loop("start", ...openingOf(play, "standard"), "--session", SESSION);
    if (started.code !== 0) return { verdict: "held", reason: started.err.trim() };
    // One stop more than iterations: the last one is where the loop pauses.
    for (let stops = 0; stops <= MOST_TURNS; stops += 1) {
      await world.turn(IN_SESSION);
      const reply = await stopped(world, play.script.turns[0].says);
      if (!reply.includes('"block"')) break;
    }
    const status = await statusOf(world);
    if (status?.phase !== "completed") return heldFor(status, "no loop is left");
    return { verdict: status.confidence === "verified" ? "verified" : "weak", reason: sureness(status) };
  },
};

/** The hook's answer to a stop; checks that go on in the background are waited for. */
async function stopped(world: World, says: string): Promise<string> {
  const payload = {
    hook_event_name: "Stop",
    session_id: SESSION,
    cwd: world.root,
    stop_hook_active: false,
    last_assistant_message: says,
  };
  let reply = "";
  for (let waits = 0; waits < MOST_WAITS; waits += 1) {
    reply = (await world.hook("stop", payload)).out;
    if (!reply.includes("Checks are running")) break;
    await world.loop("check", "--wait");
  }
  return reply;
}
