import { isAbsolute, join } from "node:path";
import { errorSignature } from "../../core/stop/error-signature.ts";
import type { FileEdit } from "../../core/stop/facts.ts";
import type { Sighting } from "../../agents/drivers/driver.ts";
import type { Deed } from "../../storage/home/session-files.ts";
import { activityOf } from "../../storage/home/session-files.ts";
import { digestOfEdited } from "../../system/tree/file-version.ts";

export interface DeedKeeper {
  readonly see: (sighting: Sighting) => void;
  readonly edits: () => readonly FileEdit[];
  /** Whether the agent did anything at all, in words or deeds. */
  readonly worked: () => boolean;
}

const KEPT_DEEDS = 10_000;

/** What an agent edits in a turn, and which failures come in between. */
export function keepDeeds(root: string): DeedKeeper {
  const deeds: Deed[] = [];
  const seen = new Map<string, string>();
  let worked = false;
  return {
    see: (sighting) => {
      worked ||= sighting.type === "said" || sighting.type === "used";
      if (deeds.length >= KEPT_DEEDS) return;
      if (sighting.type === "failed") {
        seen.clear();
        deeds.push({ type: "failed", failure: errorSignature("agent", sighting.output) });
      }
      if (sighting.type !== "edited") return;
      const path = isAbsolute(sighting.path) ? sighting.path : join(root, sighting.path);
      const contentDigest = digestOfEdited(path);
      // Edits may come faster than we read them. Reading the same content twice doesn't mean a return to it.
      if (contentDigest === null || seen.get(path) === contentDigest) return;
      seen.set(path, contentDigest);
      deeds.push({ type: "edited", path, contentDigest });
    },
    edits: () => activityOf(deeds).edits,
    worked: () => worked,
  };
}
