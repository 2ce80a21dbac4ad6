import { mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isWithin } from "../files/folders.ts";
import { layHome, type FreshHome } from "./fresh-home.ts";
import { openOverlayRoom, type BareRoom, type OverlayOptions } from "./overlay-room.ts";

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
