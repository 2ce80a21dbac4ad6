import { parseSessionId } from "../../../core/loop/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { permissionArguments, questionArguments, withoutPermissions } from "./permissions.ts";

/** Less than any answer costs. The client crashes on a budget of zero. */
const LEAST_BUDGET_USD = 0.000_001;

/**
 * The prompt goes to standard input, so a user's option can't swallow it as a value. The options our reader depends on come
 * after the user's own arguments, so they win. Partial messages are on because only they report the final usage of an answer,
 * and because a long answer would otherwise look like silence.
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
        ...(turn.question === undefined ? permissionArguments(turn) : []),
        ...(turn.budgetUsd === null
          ? []
          : [`--max-budget-usd=${Math.max(turn.budgetUsd, LEAST_BUDGET_USD)}`]),
        ...(turn.subagents === 0 ? NO_SUBAGENTS : []),
        ...(turn.question === undefined
          ? turn.args
          : [...withoutPermissions(turn.args), ...questionArguments(turn.question)]),
        "--output-format=stream-json",
        "--verbose",
        "--include-partial-messages",
        conversation === null ? `--session-id=${turn.freshConversation}` : `--resume=${conversation}`,
      ],
    },
    stdin: turn.prompt,
    env: {},
    envDefaults: capOf(turn.subagents),
  };
}

/** The tool that starts one, by its name of today and its former one. */
const NO_SUBAGENTS = ["--disallowedTools=Agent", "--disallowedTools=Task"];

/**
 * Subagents in the background are counted by nobody. The number is a wish: clients that start tools while an answer still comes in don't
 * hold themselves to it (2.1).
 */
function capOf(subagents: number | null): { readonly [name: string]: string } {
  if (subagents === null || subagents === 0) return {};
  return {
    CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: String(subagents),
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  };
}
