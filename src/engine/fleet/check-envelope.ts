import type { DriverId } from "../../agents/drivers/driver.ts";
import type { FetchedJob } from "./fleet-engine.ts";
import { readSigned } from "./keys.ts";
import { ENVELOPE_VERSION, readEnvelope, type FleetEnvelope } from "./envelopes.ts";

/** What a worker's owner allows. */
export interface Ceilings {
  /** Fingerprints of the drivers whose commands it runs. */
  readonly drivers: ReadonlySet<string>;
  /** Its clones, by the repository that they are of. */
  readonly repositories: ReadonlyMap<string, string>;
  readonly agents: readonly DriverId[];
}

/** An envelope that may be run, and whose it is; or, in a sentence, why it may not. */
export function checkEnvelope(
  { drivers, repositories, agents }: Ceilings,
  { id, queue, envelope: text }: FetchedJob,
  now: number,
): { readonly envelope: FleetEnvelope; readonly driver: string; readonly root: string } | string {
  const message = readSigned(text);
  if (message === null) return "Its envelope isn't signed, or was altered.";
  if (!drivers.has(message.by))
    return `Its envelope is signed by ${message.by}, which this worker's owner hasn't accepted.`;
  const read = readEnvelope(message.body);
  if (read.type === "other-version")
    return `Its envelope has version ${read.version}, and this worker understands ${ENVELOPE_VERSION}; update the older of the two.`;
  if (read.type === "malformed") return "Its envelope has a form that this worker doesn't know.";
  const { envelope } = read;
  if (envelope.job !== id || envelope.queue !== queue) return "Its envelope is of another job.";
  if (envelope.expires < now) return "Its envelope has expired.";
  const root = repositories.get(envelope.repository);
  if (root === undefined) return "It is for a repository that this worker's owner hasn't named.";
  const { choice, attempt } = envelope;
  if (attempt.agent !== choice.driver || !agents.includes(choice.driver))
    return `This worker's owner doesn't let it run ${choice.driver}.`;
  return { envelope, driver: message.by, root };
}

/** What people call an unchecked job: the key of its attempt; if it has none, its id. */
export function nameOfJob({ id, envelope }: FetchedJob): string {
  const body = readSigned(envelope)?.body;
  const attempt = typeof body === "object" && body !== null && "attempt" in body ? body.attempt : null;
  const key = typeof attempt === "object" && attempt !== null && "key" in attempt ? attempt.key : null;
  return typeof key === "string" ? key : id;
}
