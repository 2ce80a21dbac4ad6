import { joined } from "../core/joined.ts";

/** The first reasons for what a loop came to, within one sentence. */
export function firstReasons(reasons: readonly string[], most: number): string {
  return joined(reasons.slice(0, most));
}
