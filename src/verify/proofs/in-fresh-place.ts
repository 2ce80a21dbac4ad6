import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { listed } from "../../core/listed.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { RoomError } from "../../system/room/scratch.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { leftoversOf, listedFolders, topOf, type Leftovers } from "./leftovers.ts";
import { runInRoom, type ProofScene, type SampleScene, type Surroundings } from "./proof-site.ts";

const NOT_FRESH = "it was not tried in a fresh place";

/**
 * Shows something about a check where nothing is left over from the work but the project's files. If it doesn't stand there, it is
 * shown again in the usual place; and if it stands there, whatever makes the difference is told, once it is known.
 */
export async function inFreshPlace(
  scene: SampleScene,
  named: NamedCheck,
  show: (scene: ProofScene, named: NamedCheck) => Promise<ShownProof>,
): Promise<ShownProof> {
  // What would outlast the budget doesn't begin.
  if (scene.budget.leftMs() < scene.budget.checksMs) return withNote(await show(scene, named), TIME_IS_OVER);
  const leftovers = await leftoversOf(scene, named);
  const shown = await show(inRooms(scene, surroundingsOf(leftovers)), hurried(scene, named));
  if (shown.result === "stands") return shown;
  const usual = await show(scene, named);
  if (usual.result !== "stands") return usual;
  if (shown.lacksRoom !== undefined) return withNote(usual, shown.lacksRoom);
  const difference = await differenceOf(scene, named, leftovers);
  return difference === null ? usual : { ...usual, result: "open", detail: difference };
}

const TIME_IS_OVER = "the time for proofs was over";

function withNote(shown: ShownProof, why: string): ShownProof {
  return shown.result === "stands" ? { ...shown, detail: `${NOT_FRESH}: ${why}` } : shown;
}

/** What a fresh place has to build first may take long. */
function hurried({ budget }: SampleScene, named: NamedCheck): NamedCheck {
  const { check } = named;
  const timeoutMs = Math.min(check.timeoutMs, Math.max(budget.leftMs(), 1_000));
  return { ...named, check: { ...check, timeoutMs } };
}

function surroundingsOf({ ignored, home, inHome, listeners }: Leftovers): Surroundings {
  const fresh = {
    home: home === null ? null : { from: home, without: inHome },
    isOffline: listeners.length > 0,
  };
  return { without: ignored, fresh };
}

const AS_USUAL: Surroundings = { without: [], fresh: null };

/** Whatever runs, runs in a room with these surroundings, or as usual where there is no such room. */
function inRooms(scene: SampleScene, surroundings: Surroundings): SampleScene {
  const { machine, site, place } = scene;
  const run: typeof site.run = async (options) => {
    try {
      const room = await machine.rooms.open({
        root: place.root,
        replacements: surroundings.without.map((path) => ({ path, content: null, mode: "100644" })),
        copy: "none",
        fresh: surroundings.fresh,
        ...(site.signal === null ? {} : { signal: site.signal }),
      });
      try {
        return await room.run(options);
      } finally {
        await room.close();
      }
    } catch (error) {
      if (!(error instanceof RoomError)) throw error;
      return site.run(options);
    }
  };
  return { ...scene, surroundings, site: { ...site, run } };
}

/** In words, what it passes with alone; null: the fresh place itself may be at fault. */
async function differenceOf(
  scene: SampleScene,
  named: NamedCheck,
  { ignored, home, inHome, listeners }: Leftovers,
): Promise<string | null> {
  if (
    ignored.length > 0 &&
    (await passesWith(scene, named, { ...AS_USUAL, without: ignored })) === false &&
    !(await isTornCache(scene, named, ignored))
  )
    return `it passes only with ${someOf(ignored)}, ignored and changed since the start`;
  const offline = { home: null, isOffline: true };
  const [listener] = listeners;
  if (listener !== undefined && (await passesWith(scene, named, { ...AS_USUAL, fresh: offline })) === false)
    return `it passes only with what listens on port ${listener.port} since the start: ${oneLine(listener.command, 80)}`;
  if (home === null || inHome.length === 0) return null;
  const whole = { home: { from: home, without: [] }, isOffline: false };
  const fresh = { home: { from: home, without: inHome }, isOffline: false };
  const isWhole = await passesWith(scene, named, { ...AS_USUAL, fresh: whole });
  return isWhole === true && (await passesWith(scene, named, { ...AS_USUAL, fresh })) === false
    ? `it passes only with ${someOf(inHome.map((path) => `~/${path}`))}, changed since the start`
    : null;
}

/**
 * A cache or a build whose newer entries are taken away, but not its list of them, is broken by that alone. It is one if the check
 * passes without the whole folders that hold them.
 */
async function isTornCache(
  scene: SampleScene,
  named: NamedCheck,
  ignored: readonly string[],
): Promise<boolean> {
  const listed = listedFolders(scene);
  const folders = [...new Set(ignored.map((path) => topOf(path, listed)))].filter(
    (folder) => !ignored.includes(folder),
  );
  if (folders.length === 0) return false;
  const inThem = (await filesBelow(scene.place.root, folders)) ?? [];
  const without = [...new Set([...ignored, ...inThem])];
  return (
    without.length > ignored.length && (await passesWith(scene, named, { ...AS_USUAL, without })) === true
  );
}

const MOST_IN_CACHE = 5_000;

/** null: too many. */
async function filesBelow(root: string, folders: readonly string[]): Promise<readonly string[] | null> {
  const found: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true }).catch(
      () => [],
    );
    const files = entries.filter((entry) => !entry.isDirectory());
    found.push(...files.map((entry) => relative(root, join(entry.parentPath, entry.name))));
    if (found.length > MOST_IN_CACHE) return null;
  }
  return found;
}

/** null: unknown, or there is no time left. */
async function passesWith(
  scene: SampleScene,
  named: NamedCheck,
  surroundings: Surroundings,
): Promise<boolean | null> {
  if (scene.budget.leftMs() <= 0) return null;
  const run = await runInRoom({ ...scene, surroundings }, hurried(scene, named), []);
  if ("why" in run || run.outcome.ending.type !== "exited") return null;
  return hasPassed(run.outcome);
}

const MOST_NAMED = 3;
const BY_PRODUCT = /(?:^|\/)(?:__pycache__|\.[\w-]*cache|\.cache)\//;

function someOf(files: readonly string[]): string {
  const telling = files.filter((path) => !BY_PRODUCT.test(path));
  return listed(
    (telling.length === 0 ? files : telling).map((path) => oneLine(path, 120)),
    MOST_NAMED,
  );
}
