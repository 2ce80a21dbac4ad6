/** An agent that speaks the Agent Client Protocol, under a name of its own. */
export interface AcpAgent {
  readonly id: AcpAgentId;
  readonly title: string;
  readonly argv: readonly [string, ...string[]];
}

export const ACP_AGENT_IDS = ["qwen-code", "copilot", "droid", "goose", "kimi"] as const;
export type AcpAgentId = (typeof ACP_AGENT_IDS)[number];

/** Shortcuts for `acp:COMMAND`. */
export const ACP_AGENTS: readonly AcpAgent[] = [
  { id: "qwen-code", title: "Qwen Code", argv: ["qwen", "--acp"] },
  { id: "copilot", title: "Copilot CLI", argv: ["copilot", "--acp"] },
  { id: "droid", title: "Droid", argv: ["droid", "exec", "--output-format", "acp"] },
  { id: "goose", title: "Goose", argv: ["goose", "acp"] },
  { id: "kimi", title: "Kimi Code", argv: ["kimi", "acp"] },
];

/** For agents that ask before they act only if they are told to. A value that the user exported stays. */
export const ASKING: { readonly [variable: string]: string } = {
  GOOSE_MODE: "approve",
  OPENCODE_PERMISSION: JSON.stringify({ edit: "ask", bash: "ask", webfetch: "ask", task: "deny" }),
  // Nobody is there to say whether this folder is trusted. Asking for a turn in it answers that.
  GEMINI_CLI_TRUST_WORKSPACE: "true",
};
