import { parseSessionId } from "../../../core/loop/id.ts";
import type { AskedPermissions, Driver, Launch, Turn } from "../driver.ts";
import { parseJsonLine, textAt } from "../json-line.ts";
import { ACP_AGENTS, ASKING, type AcpAgentId } from "./agents.ts";
import { ALLOW_ALL, DENY_ALL } from "./permission.ts";
import { readDialogue } from "./stream.ts";

/** The command that starts our helper, which speaks with the agent for one turn. */
type Helper = readonly [string, ...string[]];

/** Any agent that speaks the Agent Client Protocol, by the command line that starts it. */
export function acpDriver(line: string, helper: Helper): Driver {
  // Extra arguments follow as separate words, whatever they contain.
  return driverOf("acp", "the ACP agent", null, ["/bin/sh", "-c", `${line} "$@"`, "sh"], helper);
}

/** An agent that has a name here. */
export function namedAcpDriver(id: AcpAgentId, helper: Helper): Driver {
  const agent = ACP_AGENTS.find((each) => each.id === id);
  if (agent === undefined) throw new Error(`no command for ${id}`);
  return driverOf(id, agent.title, agent.argv[0], agent.argv, helper);
}

function driverOf(
  id: Driver["id"],
  title: string,
  program: string | null,
  argv: readonly string[],
  helper: Helper,
): Driver {
  return {
    id,
    title,
    program,
    keepsConversations: true,
    capsItself: false,
    // What an agent does without asking isn't ours to refuse.
    canBeAsked: false,
    command: (turn) => launchOf(argv, helper, turn),
    permits,
    exampleRule: "execute(npm test)",
    weigh,
    readStream: (turn) => readDialogue(turn, title),
  };
}

function launchOf(argv: readonly string[], helper: Helper, turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  return {
    command: {
      kind: "argv",
      argv: [
        ...helper,
        ...(conversation === null ? [] : [`--conversation=${conversation}`]),
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...(turn.permissionMode === null ? [] : [`--permission-mode=${turn.permissionMode}`]),
        ...turn.allow.map((rule) => `--allow=${rule}`),
        ...turn.checks.map((line) => `--check=${line}`),
        "--",
        ...argv,
        ...turn.args,
      ],
    },
    stdin: turn.prompt,
    env: {},
    envDefaults: ASKING,
  };
}

/** Pieces of a thought and lists of commands say nothing about the turn. */
const PASSING = new Set([
  "agent_thought_chunk",
  "available_commands_update",
  "config_option_update",
  "session_info_update",
]);

function weigh(line: string): "passing" | "plain" | "vital" {
  const message = parseJsonLine(line);
  const type = textAt(message, "type");
  if (type !== "update") return type === null ? "plain" : "vital";
  return PASSING.has(textAt(message, "update", "sessionUpdate") ?? "") ? "passing" : "plain";
}

function permits({ permissionMode }: AskedPermissions): string {
  if (permissionMode === null)
    return "edit files here and run your checks and loop commands, as far as it asks";
  if (permissionMode === ALLOW_ALL) return "do everything it asks for";
  if (permissionMode === DENY_ALL) return "do nothing it asks for";
  return `do what its mode ${permissionMode} allows`;
}
