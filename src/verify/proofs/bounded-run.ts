import type { NamedCheck } from "../checks/run-checks.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { runInRoom, type RoomRun, type SampleScene } from "./proof-site.ts";

/** Room for what has to be built again. */
const LEAST_MS = 10_000;
const CHECK_TIMES = 3;

/** A run with faults in it, or other values: one of them may be in what ends a loop, which would go on and take all memory until the check's own limit. */
export async function runBounded(
  scene: SampleScene,
  named: NamedCheck,
  files: readonly ReplacedFile[],
  limitMs = Infinity,
): Promise<RoomRun> {
  const enoughMs = Math.max(LEAST_MS, CHECK_TIMES * scene.budget.checksMs);
  const timeoutMs = Math.min(named.check.timeoutMs, enoughMs, limitMs);
  return runInRoom(scene, { ...named, check: { ...named.check, timeoutMs } }, files, { isSample: true });
}
