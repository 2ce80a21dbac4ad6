import { claimsOfStatusBlock } from "../../core/stop/status-block.ts";
import { SAID_NOTHING, type Said } from "../../core/stop/facts.ts";
import { completionTags } from "../../system/markdown/completion-tags.ts";

/** The claims in an agent's last message; null: there was no message. */
export async function whatWasSaid(message: string | null): Promise<Said> {
  if (message === null) return SAID_NOTHING;
  return { claims: claimsOfStatusBlock(message), ...(await completionTags(message)) };
}
