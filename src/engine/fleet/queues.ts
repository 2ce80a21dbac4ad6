import { ENVELOPE_VERSION } from "./envelopes.ts";
import { shortName } from "./keys.ts";

/** A label as it is part of a queue's name; null: it can't be one. */
export function parseLabel(text: string): string | null {
  return /^[A-Za-z0-9][\w-]{0,39}$/.test(text) ? text : null;
}

interface Wanted {
  /** The fingerprint of the driver's key. */
  readonly driver: string;
  readonly repository: string;
}

/** Whoever has the agent, and the label if there is one, may take what is in it. */
export function queueFor({ driver, repository }: Wanted, agent: string, label: string | null): string {
  const name = `attempt.v${ENVELOPE_VERSION}.${shortName(driver)}.${repository.slice(0, 16)}.${agent}`;
  return label === null ? name : `${name}.${label}`;
}

/** For one worker alone: it has the files of an attempt that was stopped. */
export function queueOfWorker({ driver, repository }: Wanted, worker: string): string {
  return `attempt.v${ENVELOPE_VERSION}.${shortName(driver)}.${repository.slice(0, 16)}.worker/${shortName(worker)}`;
}

/** An account of an agent, which has one usage limit. */
export function accountOf(agent: string, account: string): string {
  return `${agent}@${account}`;
}
