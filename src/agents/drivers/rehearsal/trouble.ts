import type { Trouble } from "../../../core/stop/trouble.ts";
import { detailOf, detailWithReason } from "../bounded-text.ts";
import type { AgentEnding, Denial } from "../driver.ts";
import { numberAt, textAt } from "../json-line.ts";
import type { JsonObject } from "../json-line.ts";

/** The trouble in a turn's last message; null if the turn ended well or was only denied something. */
export function scriptedTrouble(scripted: JsonObject | null, at: number): Trouble | null {
  if (scripted === null) return null;
  const kind = textAt(scripted, "kind");
  const detail = detailOf(textAt(scripted, "detail") ?? `the script says ${kind ?? "so"}`);
  switch (kind) {
    case "permission":
      return null;
    case "usage-limit": {
      const resetsInMs = numberAt(scripted, "resetsInMs");
      return { kind, detail, resetsAt: resetsInMs === null ? null : at + Math.max(resetsInMs, 0) };
    }
    case "transient":
    case "blocking":
    case "budget":
    case "lost-conversation":
      return { kind, detail };
    case null:
    default:
      return { kind: "unknown", detail };
  }
}

export function scriptedDenials(scripted: JsonObject | null): readonly Denial[] {
  if (textAt(scripted, "kind") !== "permission") return [];
  const tool = textAt(scripted, "tool");
  const rule = textAt(scripted, "rule");
  return tool === null || rule === null ? [] : [{ tool: detailOf(tool), rule: detailOf(rule) }];
}

/** The trouble in how the process ended; null if a turn that was played to its end is as good as it says. */
export function troubleOfEnding(ending: AgentEnding, played: boolean): Trouble | null {
  switch (ending.type) {
    case "not-started":
      return { kind: "blocking", detail: detailOf(`the player cannot be started: ${ending.message}`) };
    case "cut-off":
      return played ? null : { kind: "interrupted", detail: detailOf(ending.why) };
    case "signalled":
      if (played) return null;
      return {
        kind: "interrupted",
        detail: detailWithReason(`the player was ended by ${ending.signal}`, ending.stderr),
      };
    case "exited": {
      if (played && ending.code === 0) return null;
      const what = played ? "the player failed after its turn" : "the player ended in the middle of its turn";
      return {
        kind: "unknown",
        detail: detailWithReason(`${what} (exit code ${ending.code})`, ending.stderr),
      };
    }
  }
}
