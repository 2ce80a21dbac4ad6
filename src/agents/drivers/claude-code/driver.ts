import type { Driver, Launch, Turn, AskedForm, AskedPermissions, GrantedPermissions } from "../driver.ts";
import { parseJsonLine, textAt } from "../json-line.ts";
import { readMessages } from "./stream.ts";
import { parseSessionId } from "../../../core/loop/id.ts";
import { withoutOptions, LOOP_WORDS } from "../permissions.ts";

/** Anthropic's Claude Code: `claude -p --output-format stream-json`. */
export const claudeCode: Driver = {
  id: "claude-code",
  title: "Claude Code",
  program: "claude",
  keepsConversations: true,
  capsItself: true,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: "Bash(npm test:*)",
  readStream: readMessages,
  weigh,
};

/** An answer comes in hundreds of parts and then again as a whole. Newer clients print the type of a result late in the line. */
function weigh(line: string): "passing" | "plain" | "vital" {
  const mayBeResult = line.includes('"type":"result"');
  if (mayBeResult && textAt(parseJsonLine(line), "type") === "result") return "vital";
  const isPart = line.startsWith('{"type":"stream_event"') && line.includes('"content_block_delta"');
  return isPart ? "passing" : "plain";
}

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

/** Edits, and `rm`, `mv`, `mkdir` and the like, in the folder where the client starts. */
const MODE = "acceptEdits";
const ASKS_FOR_MODE = /^--(?:permission-mode(?:=.*)?|dangerously-skip-permissions)$/s;
const LOOP_RULES = LOOP_WORDS.map((word) => `Bash(loop ${word}:*)`);

/** For a question there are no other tools, so nothing can be written, whatever the user's settings allow. */
const READING = ["--tools=Read,Grep,Glob", "--strict-mcp-config", "--permission-mode=default"];

/** What holds a question to reading, and to the form of its answer. It follows the user's own arguments, so that it wins. */
function questionArguments(form: AskedForm): readonly string[] {
  return [...READING, `--json-schema=${JSON.stringify(form.schema)}`];
}

function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, {
    flags: ["--dangerously-skip-permissions", "--allow-dangerously-skip-permissions"],
    valued: ["--permission-mode"],
  });
}

/** On top of the user's own settings: what they deny stays denied, what they allow stays allowed. */
function permissionArguments(asked: GrantedPermissions): readonly string[] {
  const { permissionMode, allow } = asked;
  const preset = isAsked(asked) ? [] : [...LOOP_RULES, ...rulesForChecks(asked.checks)];
  const mode = isAsked(asked) ? permissionMode : MODE;
  return [
    ...(mode === null ? [] : [`--permission-mode=${mode}`]),
    ...[...preset, ...allow].map((rule) => `--allowedTools=${rule}`),
  ];
}

/** In a rule a star is a pattern and parentheses end it, so a line with one of them would allow something else. */
const MORE_THAN_ITSELF = /[*()\\\n\r]/;

/** Each allows exactly this line: not its parts, and nothing more behind it. */
function rulesForChecks(checks: readonly string[]): readonly string[] {
  return checks
    .filter((line) => line.trim() === line && line !== "" && !MORE_THAN_ITSELF.test(line))
    .map((line) => `Bash(${line})`);
}

function permits(asked: AskedPermissions): string | null {
  if (!isAsked(asked)) return "edit files here and run your checks and loop commands";
  return asked.permissionMode === null ? null : `do what permission mode ${asked.permissionMode} allows`;
}

/** A mode from the user replaces all of ours, wherever it appears. */
function isAsked({ permissionMode, args }: AskedPermissions): boolean {
  return permissionMode !== null || args.some((arg) => ASKS_FOR_MODE.test(arg));
}
