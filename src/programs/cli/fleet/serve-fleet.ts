import { resolve } from "node:path";
import { UserError } from "../../../core/user-error.ts";
import { parseFingerprint, pinKey, pinnedKeys } from "../../../engine/fleet/keys.ts";
export { workerKey } from "../../../engine/fleet/worker-key.ts";
import { work } from "../../../engine/fleet/worker.ts";
import {
  USUAL_WORKER_TIMES,
  type WorkerNews,
  type WorkerOptions,
} from "../../../engine/fleet/worker-options.ts";
import { ENVELOPE_VERSION } from "../../../engine/fleet/envelopes.ts";
import { onceForAll } from "../../../engine/fleet/patience.ts";
import { findProject } from "../../../storage/home/project.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { isFolder } from "../../../system/files/folders.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { bytesText } from "../../../system/text/quantities.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import { repositoryOf } from "../../../engine/fleet/repository.ts";
import { leaseMsOf } from "./fleet-url.ts";
import { openEngine } from "./open-engine.ts";

/** The clones that a worker may work in, by the repository that they are of. */
export async function repositoriesOf(
  folders: readonly string[],
  cwd: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const path = resolve(cwd, folder);
    if (!isFolder(path))
      throw new UserError(`${oneLine(path, 200)} is no folder; name a clone to work in: --repo FOLDER`);
    const { root } = findProject(path);
    found.set(await repositoryOf(root), root);
  }
  return found;
}

export function acceptedDrivers(
  { home }: Pick<Machine, "home">,
  accepted: readonly string[],
): ReadonlySet<string> {
  for (const text of accepted) {
    const fingerprint = parseFingerprint(text);
    if (fingerprint === null)
      throw new UserError(
        `"${oneLine(text, 60)}" is not a key; it looks like SHA256:… and loop fleet init prints it.`,
      );
    pinKey(home, "drivers", fingerprint, "driver");
  }
  const drivers = new Set(pinnedKeys(home, "drivers").keys());
  if (drivers.size === 0)
    throw new UserError(
      "This worker accepts nobody's commands yet; name the key that loop fleet init printed: --accept SHA256:…",
    );
  return drivers;
}

type ServedNews =
  | WorkerNews
  | {
      readonly type: "began";
      readonly name: string;
      readonly fingerprint: string;
      readonly fleet: string;
      readonly slots: number;
      readonly agents: readonly string[];
      readonly drivers: readonly string[];
      readonly repositories: readonly string[];
      readonly user: string;
    }
  | { readonly type: "outage"; readonly why: string | null };

type Tell = (news: ServedNews) => void;

export async function serveFleet(
  options: Omit<WorkerOptions, "engine" | "times" | "patience"> & {
    readonly url: string;
    readonly tell: Tell;
  },
): Promise<void> {
  const { cli, url, now, tell, machine } = options;
  const leaseMs = leaseMsOf(machine.env);
  const engine = await openEngine(cli, url, { leaseMs });
  try {
    await work({
      ...options,
      engine,
      // Three of four may get lost.
      times: { ...USUAL_WORKER_TIMES, refreshMs: leaseMs / 4 },
      patience: { signal: now, outage: onceForAll((why) => tell({ type: "outage", why })) },
    });
  } finally {
    await engine.close();
  }
}

/** For logs: one object a line. */
export function asJson({ print }: Terminal, { now }: Pick<Machine, "now">): Tell {
  return (news) => print(JSON.stringify({ at: new Date(now()).toISOString(), ...news }));
}

export function asLines(terminal: Terminal): Tell {
  return (news) => {
    for (const line of linesOf(news)) terminal.print(line);
  };
}

function linesOf(news: ServedNews): readonly string[] {
  switch (news.type) {
    case "began":
      return [
        `[LOOP] Worker ${news.name} | Slots: ${news.slots} | Agents: ${news.agents.join(", ")} | ${news.fleet}`,
        `Runs as ${news.user} what these drivers sign (checks, setup commands, agents): ${news.drivers.join(", ")}`,
        `Works in: ${news.repositories.join(", ")}`,
        `A driver accepts its results once, with: loop fleet trust ${news.name} ${news.fingerprint}`,
      ];
    case "took":
      return [`▶ ${shown(news.key)}: ${news.isResumed ? "resumed" : "began"} with ${news.agent}`];
    case "refused":
      return [`✗ Refused a job (${news.job}): ${oneLine(news.why, 300)}`];
    case "ended":
      return [`${news.outcome === "finished" ? "✓" : "◦"} ${shown(news.key)}: ${news.outcome}`];
    case "lost":
      return [`✗ ${shown(news.key)}: its lease ran out; it is made again elsewhere, and ended here`];
    case "failed":
      return [`✗ ${shown(news.key)}: ${oneLine(news.why, 300)}`];
    case "other-version":
      return [
        `✗ Refuses what ${news.driver} sends: its envelopes have version ${news.version}, and this worker understands version ${ENVELOPE_VERSION}; update ${news.version > ENVELOPE_VERSION ? "this worker" : "that driver"}.`,
      ];
    case "stranger":
      return [
        `✗ Takes nothing from ${news.driver}: it accepts this worker, and nobody here accepted it. Ask whose key it is before you start again with --accept.`,
      ];
    case "full":
      return [
        news.freeBytes === null
          ? "There is room on the disk again."
          : `The disk has ${bytesText(news.freeBytes)} left, too little to begin anything; waiting for room.`,
      ];
    case "draining":
      return [`Ending: ${news.running} at work.`];
    case "outage":
      return [
        news.why === null
          ? "The fleet's database answers again."
          : `The fleet's database ${news.why}; waiting for it.`,
      ];
  }
}

/** `LOOP/TASK/NUMBER` as people say it. */
function shown(key: string): string {
  const [loop = "", task = "", number = ""] = oneLine(key, 160).split("/");
  return `${task} of ${loop}${number === "1" ? "" : `, attempt ${number}`}`;
}
