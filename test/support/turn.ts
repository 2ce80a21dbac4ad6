import type { Turn } from "../../src/agents/drivers/driver.ts";

/** A first turn, of which nothing particular is asked. */
export const A_TURN: Turn = {
  prompt: "Mend the cart.",
  conversation: null,
  freshConversation: "8c7b1f0e-0000-4000-8000-000000000001",
  reportedUsd: null,
  model: null,
  permissionMode: null,
  allow: [],
  checks: [],
  args: [],
  subagents: null,
  budgetUsd: null,
  folder: "/nowhere",
};
