import { parseSessionId } from "../../core/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { permissionArguments } from "./permissions.ts";

/** Less than any answer costs. Of a budget of nothing the client makes a crash. */
const LEAST_BUDGET_USD = 0.000_001;

/**
 * The prompt comes on standard input, so no option of the user's can take it for one of its values. What our reading
 * depends on stands behind the user's own arguments, and therefore holds. Partial messages are asked for because only
 * they tell what an answer used in the end, and because a long one is otherwise silence.
 */
export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  return {
    command: {
      kind: "argv",
      argv: [
        "claude",
        "-p",
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...permissionArguments(turn),
        ...(turn.budgetUsd === null
          ? []
          : [`--max-budget-usd=${Math.max(turn.budgetUsd, LEAST_BUDGET_USD)}`]),
        ...turn.args,
        "--output-format=stream-json",
        "--verbose",
        "--include-partial-messages",
        conversation === null ? `--session-id=${turn.freshConversation}` : `--resume=${conversation}`,
      ],
    },
    stdin: turn.prompt,
    env: {},
  };
}
