import { existsSync, readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { parseSessionId } from "../core/id.ts";
import { sessionPath } from "../store/session-path.ts";
import { stateHome } from "../store/state-home.ts";

/**
 * The text of `engine.ts` and all it needs, put here by the build. As text it costs nothing until it is
 * compiled, and most stops of most sessions have no loop and need none of it.
 */
declare const ENGINE_SOURCE: string;

type Engine = typeof import("./engine.ts");

async function main(): Promise<void> {
  const { env } = process;
  if (env["LOOP_DISABLE"] === "1" || env["IDLE_LOOP_DISABLE"] === "1") return;
  const input = readFileSync(0, "utf8");
  if (!mayConcernLoop(input, stateHome(env))) return;
  const event = process.argv.slice(2).find((word) => !word.startsWith("-")) ?? "stop";
  const { stdout, stderr } = await loadEngine().answer(event, input);
  process.stderr.write(stderr);
  process.stdout.write(stdout);
}

/** Whatever is not plainly somebody else's is for the engine to judge. */
function mayConcernLoop(input: string, home: string): boolean {
  try {
    const { session_id: id } = JSON.parse(input) as { session_id?: unknown };
    const session = parseSessionId(id);
    return session !== null && existsSync(sessionPath(home, session));
  } catch {
    return true;
  }
}

function loadEngine(): Engine {
  const module = { exports: {} };
  const run = compileFunction(ENGINE_SOURCE, ["module", "exports", "require"], {
    filename: `${__filename}#engine`,
  });
  run(module, module.exports, require);
  return module.exports as Engine;
}

main().catch((error: unknown) => {
  const what = error instanceof Error ? error.message : String(error);
  process.stdout.write(JSON.stringify({ systemMessage: `[LOOP] Not held: ${what}` }));
});
