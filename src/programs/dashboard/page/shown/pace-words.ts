import type { LiveView } from "../../../../views/status.ts";
import { duration } from "./words.ts";

/** What a loop or an attempt is doing right now. */
export type Live = Pick<LiveView, "tool" | "since" | "heardAt"> & {
  readonly doing: string;
  readonly detail?: string | null;
  readonly usualMs?: number | null;
};

const QUIET_MS = 10_000;

/** What tells work that takes long from work that hangs: how long it usually takes, and when something was last heard of the agent. */
export function paceWords({ doing, since, heardAt, usualMs = null }: Live, at: number): string {
  if (doing === "checking") return usualMs === null ? "" : `; it took ${duration(usualMs)} last time`;
  const quietMs = heardAt === null ? 0 : at - Math.max(Date.parse(heardAt), Date.parse(since));
  if (doing !== "working" || heardAt === null || quietMs < QUIET_MS) return "";
  return at - Date.parse(since) - quietMs < QUIET_MS
    ? "; it has printed nothing since"
    : `; it last printed something ${duration(quietMs)} ago`;
}
