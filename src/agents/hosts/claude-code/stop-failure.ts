import type { ApiTrouble } from "../host-event.ts";
import type { Payload } from "../payload.ts";
import { textOf } from "../payload.ts";

/** The client's error codes that need a person. */
export const NEEDS_PERSON = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "billing_error",
  "model_not_found",
  "cloud_credential_error",
]);

/** The event also comes for subagents and helper calls, and nobody waits for it, so it pauses only when it must. */
export function readStopFailure(payload: Payload): ApiTrouble {
  const error = textOf(payload, "error") ?? "unknown";
  const message = textOf(payload, "last_assistant_message") ?? textOf(payload, "error_details");
  if (textOf(payload, "agent_id") !== null) return { type: "passing", what: "subagent" };
  if (error === "rate_limit") return { type: "usage-limit", detail: message };
  if (NEEDS_PERSON.has(error)) return { type: "needs-person", detail: message ?? error };
  return { type: "passing", what: error };
}
