import type { Denial } from "./driver.ts";

/** More don't help the reader. */
const MOST_DENIALS = 50;

/** What an agent was denied in a turn, without duplicates. */
export interface DenialList {
  add(denial: Denial): void;
  readonly denials: readonly Denial[];
}

export function startDenials(): DenialList {
  const denials = new Map<string, Denial>();
  return {
    add(denial) {
      if (denials.size < MOST_DENIALS) denials.set(`${denial.tool} ${denial.rule}`, denial);
    },
    get denials() {
      return [...denials.values()];
    },
  };
}
