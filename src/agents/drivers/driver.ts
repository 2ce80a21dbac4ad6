import type { CommandLine } from "../../core/loop/criterion.ts";
import type { Trouble } from "../../core/stop/trouble.ts";
import type { Usage } from "../cost/transcript.ts";
import { ACP_AGENT_IDS } from "./acp/agents.ts";

/** Agents that can be held to reading, and asked. */
export const ASKABLE_IDS = ["claude-code", "codex", "gemini-cli", "opencode", "rehearsal"] as const;
export const DRIVER_IDS = [...ASKABLE_IDS, ...ACP_AGENT_IDS, "acp", "command"] as const;
export type DriverId = (typeof DRIVER_IDS)[number];

/** How to start an agent and how to read its output. Only a description: a driver starts nothing itself. */
export interface Driver {
  readonly id: DriverId;
  /** What people call it. */
  readonly title: string;
  /** The program that shows whether the agent is installed; null if none is needed. */
  readonly program: string | null;
  /** Whether a later turn can continue a conversation. */
  readonly keepsConversations: boolean;
  /** Whether it ends by itself at the budget of its turn. */
  readonly capsItself: boolean;
  /** Whether it can be held to reading, and asked a question. */
  readonly canBeAsked: boolean;
  command(turn: Turn): Launch;
  /** What the agent may do in such a turn, to follow "may"; null if unknown. */
  permits(asked: AskedPermissions): string | null;
  /** An example rule for `--allow`; null if the agent has no such rules. */
  readonly exampleRule: string | null;
  /** How much a line matters after a crash: not at all, like any other, or so much that settling the turn needs it. */
  weigh?(line: string): "passing" | "plain" | "vital";
  /** A reader for the output of one turn. The same lines give the same report, live or after a crash. */
  readStream(turn: Pick<Turn, "model" | "conversation" | "reportedUsd" | "reportedUsage">): StreamReader;
}

/** One turn to ask of an agent. */
export interface Turn {
  readonly prompt: string;
  /** The conversation to continue; null for a new one. */
  readonly conversation: string | null;
  /** A UUID for a new conversation, if the agent lets its caller choose. */
  readonly freshConversation: string;
  /** The conversation's total cost as the agent last reported it; null if it never did. */
  readonly reportedUsd: number | null;
  /** The usage reported so far, for agents that count tokens over a whole conversation. */
  readonly reportedUsage?: Usage | null;
  readonly model: string | null;
  /** In the agent's own terms; null: only what the work needs. */
  readonly permissionMode: string | null;
  /** What else it may do: rules in the agent's own syntax. */
  readonly allow: readonly string[];
  /** Command lines of the loop's checks, which it may run as they are, for agents with rules for exact lines. */
  readonly checks: readonly string[];
  /** Extra arguments from the user, unchanged. */
  readonly args: readonly string[];
  /** How many agents of its own it may run at once, for agents that can be told; null: as many as it likes. */
  readonly subagents: number | null;
  /** The remaining budget, for agents that can cap themselves; null without a limit. */
  readonly budgetUsd: number | null;
  /** A folder of the loop, outside the tree digest, where the agent's turns may keep what they need. */
  readonly folder: string;
  /** Set for a question: the agent may read, and nothing else, whatever the user allows it in other turns. */
  readonly question?: AskedForm | undefined;
}

/** A question's name, and the form of its answer. */
export interface AskedForm {
  readonly id: string;
  /** For agents that hold their model to it. */
  readonly schema: JsonSchema;
  /** A file with the same schema. */
  readonly schemaFile: string;
}

/** Only keywords that every service accepts; each object has all of its properties, and no others. */
export interface JsonSchema {
  readonly type?: "object" | "array" | "string" | "number" | "boolean" | "null";
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: JsonSchema;
  readonly enum?: readonly (string | number | boolean)[];
  readonly anyOf?: readonly JsonSchema[];
}

/** The permissions a user asked for. */
export type AskedPermissions = Pick<Turn, "permissionMode" | "allow" | "args">;

/** The permissions a user asked for, and what the loop adds to them. */
export type GrantedPermissions = AskedPermissions & Pick<Turn, "checks">;

export interface Launch {
  readonly command: CommandLine;
  /** The prompt, or nothing. Text is never passed as a shell word. */
  readonly stdin: string;
  /** Set on top of the caller's environment. */
  readonly env: { readonly [name: string]: string };
  /** Set only if the caller's environment doesn't have them. */
  readonly envDefaults?: { readonly [name: string]: string };
}

export interface StreamReader {
  /** One line of standard output, without its line break. Unknown lines are skipped. */
  line(text: string): readonly AgentEvent[];
  /** The output ended at `at` (milliseconds since 1970); "in 5 minutes" counts from then. */
  end(ending: AgentEnding, at: number): TurnReport;
}

/** Something seen while the agent works. */
export type AgentEvent =
  | { readonly type: "conversation"; readonly id: string }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "used"; readonly tool: string; readonly detail: string }
  /** A tool wrote a file to disk; the path is as the agent gave it, absolute or relative to the project. */
  | { readonly type: "edited"; readonly path: string }
  /** Something the agent ran or tried failed. */
  | { readonly type: "failed"; readonly output: string }
  /** The total cost of this turn so far. */
  | { readonly type: "billed"; readonly bill: Bill }
  /** The agent itself waits and retries. */
  | { readonly type: "retrying"; readonly detail: string };

/** How the agent's process ended. */
export type AgentEnding =
  | { readonly type: "exited"; readonly code: number; readonly stderr: string }
  | { readonly type: "signalled"; readonly signal: string; readonly stderr: string }
  | { readonly type: "not-started"; readonly message: string }
  /** Ended by us, or its end was not seen. */
  | { readonly type: "cut-off"; readonly why: string };

/** The cost of a turn: the agent's own figure if it has one, and the usage by model. */
export interface Bill {
  readonly usd: number | null;
  /** null: the agent doesn't name the model. */
  readonly usage: readonly { readonly model: string | null; readonly usage: Usage }[];
}

export const NO_BILL: Bill = { usd: null, usage: [] };

/**
 * Something the agent was not allowed to do, and what would allow it: a rule in the agent's own syntax, for `--allow`, or a
 * `--permission-mode` if no rule does.
 */
export interface Denial {
  readonly tool: string;
  readonly rule: string;
}

export interface TurnReport {
  /** null: the turn ended by itself. */
  readonly trouble: Trouble | null;
  /** The agent's final words; null when it had none. */
  readonly lastMessage: string | null;
  readonly conversation: string | null;
  /** The agent has no way to claim it: a turn that ends well is its claim that the work is done. */
  readonly claimsDone?: boolean;
  /** null if the agent doesn't report it. */
  readonly toolUses: number | null;
  readonly bill: Bill;
  /** The conversation's total cost as the agent reports it; null if it doesn't. */
  readonly reportedUsd: number | null;
  /** Its total usage, for agents that count it. */
  readonly reportedUsage?: Usage | null;
  readonly denials: readonly Denial[];
}
