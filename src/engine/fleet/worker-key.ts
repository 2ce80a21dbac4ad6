import { join } from "node:path";
import * as v from "valibot";
import { UserError } from "../../core/user-error.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { isStillAlive, ownMark } from "../../system/process/process-facts.ts";
import { fleetFolder, signerOf, type Signer } from "./keys.ts";

const mark = v.object({ pid: v.number(), startedAt: v.string(), boot: v.string() });

/** One process for each name: they would take each other's leases. */
export function workerKey({ home }: Pick<Machine, "home">, name: string): Signer {
  const path = join(fleetFolder(home), "running", `${name}.json`);
  const other = readJsonFile(path, mark);
  if (other !== null && isStillAlive(other))
    throw new UserError(
      `A worker called ${name} already runs here (process ${other.pid}); give this one another name: --name NAME`,
    );
  writePrivateJson(path, ownMark());
  return signerOf(home, `worker-${name}`);
}
