import { mkdir, readdir, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { isWithin } from "../files/folders.ts";
import { openOverlayRoom, type BareRoom, type OverlayOptions } from "./overlay-room.ts";
import { newerFiles } from "../tree/walked-files.ts";

/** What surrounds a project, as it was earlier. */
export interface FreshPlace {
  /** null: as it is. */
  readonly home: FreshHome | null;
  /** No connection but to what runs in the room. */
  readonly isOffline: boolean;
}

/** An overlay with a home and a temporary folder of its own. */
export async function openFreshRoom(
  options: OverlayOptions,
  { home, isOffline }: FreshPlace,
): Promise<BareRoom> {
  const { scratch, namespaces } = options;
  const own = join(scratch, "home");
  if (home !== null) await layHome(home, own);
  await mkdir(join(scratch, "temporary"), { mode: 0o700 });
  const temporary = home === null ? null : await emptyFolder();
  const room = await openOverlayRoom({
    ...options,
    temporary,
    namespaces: { ...namespaces, net: isOffline },
  });
  const homes = home === null ? null : { from: home.from, to: own };
  return {
    ...room,
    run: async (run) => room.run({ ...run, env: freshEnvironment(run.env, homes, temporary) }),
  };
}

/** Empty on most machines. The scratch folder's own path is too long for sockets, which tests like to have in a temporary folder. */
const USUALLY_EMPTY = ["/media", "/srv", "/mnt"];

async function emptyFolder(): Promise<string | null> {
  for (const folder of USUALLY_EMPTY) {
    const entries = await readdir(folder).catch(() => ["unknown"]);
    if (entries.length === 0) return folder;
  }
  return null;
}

const IN_HOME = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];

/** Variables that name a home or a temporary folder lead into the room. */
function freshEnvironment(
  env: NodeJS.ProcessEnv,
  homes: { readonly from: string; readonly to: string } | null,
  temporary: string | null,
): NodeJS.ProcessEnv {
  const changed: NodeJS.ProcessEnv = { ...env, ...(temporary === null ? {} : { TMPDIR: temporary }) };
  if (homes === null) return changed;
  for (const name of IN_HOME) {
    const value = env[name];
    if (value !== undefined && isWithin(value, homes.from))
      changed[name] = join(homes.to, relative(homes.from, value));
  }
  return { ...changed, HOME: homes.to };
}

/** A home folder as it was at a moment, as far as it can be told. */
interface FreshHome {
  /** The real one. */
  readonly from: string;
  /** Files in it that are left out, relative to it. */
  readonly without: readonly string[];
}

const MOST_SEEN = 20_000;
const DEEPEST = 6;

/**
 * The settings and tools in a home folder that are newer than a moment. Only its hidden folders have some; those of `apart` are left
 * out of the search.
 */
export async function newerInHome(
  home: string,
  since: number,
  apart: readonly string[],
): Promise<readonly string[]> {
  const { files } = await newerFiles({
    folder: home,
    since,
    most: MOST_SEEN,
    skips: (path, entry) =>
      (entry.isDirectory() && !path.startsWith(".")) ||
      path.split("/").length > DEEPEST ||
      apart.includes(join(home, path)),
  });
  return files.map(({ path }) => path);
}

/** Lays it out in an empty folder: links to everything that stays, so that tools find themselves whatever they are called. */
async function layHome({ from, without }: FreshHome, to: string): Promise<void> {
  const gone = new Set(without);
  const opened = new Set(without.flatMap(foldersOf));
  async function lay(folder: string): Promise<void> {
    await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(from, folder)).catch(() => [])) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (gone.has(path)) continue;
      if (opened.has(path)) await lay(path);
      else await symlink(join(from, path), join(to, path));
    }
  }
  await lay("");
}

function foldersOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
