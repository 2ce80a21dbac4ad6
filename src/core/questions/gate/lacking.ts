import type { GateFacts } from "./gate-facts.ts";

/** The tasks that aren't verified, each with the first reason: `T-1 is weak: its check is flaky, T-2 is unverified`. */
export function lackingText(tasks: GateFacts["tasks"]): string {
  return tasks
    .filter(({ confidence }) => confidence !== "verified")
    .map(({ id, confidence, doubts }) => `${id} is ${[confidence, ...doubts.slice(0, 1)].join(": ")}`)
    .join(", ");
}
