import type { CommandLine } from "../core/criterion.ts";
import type { Trouble } from "../core/trouble/trouble.ts";
import type { Usage } from "../cost/usage.ts";

export const DRIVER_IDS = ["claude-code", "codex", "gemini-cli", "opencode", "command", "rehearsal"] as const;
export type DriverId = (typeof DRIVER_IDS)[number];

/** How an agent is started, and how what it says is read. Descriptions only: a driver starts nothing itself. */
export interface Driver {
  readonly id: DriverId;
  /** What people call it. */
  readonly title: string;
  /** The program that shows that the agent is installed; null where none is needed. */
  readonly program: string | null;
  /** Whether a conversation can be gone on with in a later turn. */
  readonly keepsConversations: boolean;
  command(turn: Turn): Launch;
  /** What the agent may do in such a turn, after "may"; null where nobody here can say. */
  permits(asked: AskedPermissions): string | null;
  /** A rule as `--allow` takes it, for example; null where the agent has no such rules. */
  readonly exampleRule: string | null;
  /** How much a line matters after a crash: not at all, as all others, or so much that the turn cannot be settled without it. */
  weigh?(line: string): "passing" | "plain" | "vital";
  /** A reader for the output of one turn. The same lines give the same report, at once or after a crash. */
  readStream(turn: Pick<Turn, "model" | "conversation" | "reportedUsd" | "reportedUsage">): StreamReader;
}

/** One turn that an agent is asked for. */
export interface Turn {
  readonly prompt: string;
  /** The conversation to go on with; null for a new one. */
  readonly conversation: string | null;
  /** A UUID for a new conversation, where the agent lets its caller choose. */
  readonly freshConversation: string;
  /** What the agent last said that the conversation had cost in all; null where it never said. */
  readonly reportedUsd: number | null;
  /** And what it had used, for agents that count tokens over a whole conversation. */
  readonly reportedUsage?: Usage | null;
  readonly model: string | null;
  /** In the agent's own words; null: what the work needs, and nothing else. */
  readonly permissionMode: string | null;
  /** What it may do beside that: rules in the agent's own words. */
  readonly allow: readonly string[];
  /** Further arguments, from the user, as they are. */
  readonly args: readonly string[];
  /** What may still be spent, for agents that can cap themselves; null without a limit. */
  readonly budgetUsd: number | null;
  /** A folder of the loop's own, outside the worktree's digest, in which the agent's turns may leave what they need. */
  readonly folder: string;
}

/** What a user has said about what the agent may do. */
export type AskedPermissions = Pick<Turn, "permissionMode" | "allow" | "args">;

export interface Launch {
  readonly command: CommandLine;
  /** The prompt, or nothing. Text never travels as a shell word. */
  readonly stdin: string;
  /** Set on top of the caller's environment. */
  readonly env: { readonly [name: string]: string };
  /** Set only where the caller's environment has none of that name. */
  readonly envDefaults?: { readonly [name: string]: string };
}

export interface StreamReader {
  /** One line of standard output, without its end. Lines that are not understood are skipped. */
  line(text: string): readonly Sighting[];
  /** The output is over since `at` (milliseconds since 1970), from which "in 5 minutes" counts. */
  end(ending: AgentEnding, at: number): TurnReport;
}

/** Something seen while the agent works. */
export type Sighting =
  | { readonly type: "conversation"; readonly id: string }
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "used"; readonly tool: string; readonly detail: string }
  /** A tool wrote a file, now on disk; the path is the agent's own, absolute or relative to the project. */
  | { readonly type: "edited"; readonly path: string }
  /** Something that the agent ran or tried failed. */
  | { readonly type: "failed"; readonly output: string }
  /** What this turn has cost up to here, in all. */
  | { readonly type: "billed"; readonly bill: Bill }
  /** The agent itself waits and tries again. */
  | { readonly type: "retrying"; readonly detail: string };

/** How the agent's process ended. */
export type AgentEnding =
  | { readonly type: "exited"; readonly code: number; readonly stderr: string }
  | { readonly type: "signalled"; readonly signal: string; readonly stderr: string }
  | { readonly type: "not-started"; readonly message: string }
  /** Ended by us, or nobody saw its end. */
  | { readonly type: "cut-off"; readonly why: string };

/** What a turn cost: the agent's own figure where it has one, and what the models were used for. */
export interface Bill {
  readonly usd: number | null;
  /** A model of null is not named by the agent. */
  readonly usage: readonly { readonly model: string | null; readonly usage: Usage }[];
}

export const NO_BILL: Bill = { usd: null, usage: [] };

/**
 * Something that the agent was not allowed to do, and what would allow it: a rule in the agent's own terms, for `--allow`,
 * or a `--permission-mode` where no rule does.
 */
export interface Denial {
  readonly tool: string;
  readonly rule: string;
}

export interface TurnReport {
  /** null: the turn came to its own end. */
  readonly trouble: Trouble | null;
  /** The agent's final words; null when it had none. */
  readonly lastMessage: string | null;
  readonly conversation: string | null;
  /** The agent has no words for it: that its turn ended well is its claim that the work is done. */
  readonly claimsDone?: boolean;
  /** null where the agent does not tell. */
  readonly toolUses: number | null;
  readonly bill: Bill;
  /** What the conversation has cost in all by the agent's own account; null where it does not say. */
  readonly reportedUsd: number | null;
  /** What it has used in all; for agents that count so. */
  readonly reportedUsage?: Usage | null;
  readonly denials: readonly Denial[];
}
