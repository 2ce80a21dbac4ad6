import type { Driver, Launch, Turn, AskedPermissions } from "../driver.ts";
import { readEvents } from "./stream.ts";
import { parseSessionId } from "../../../core/loop/id.ts";
import { withoutOptions } from "../permissions.ts";

/** OpenAI's Codex CLI: `codex exec --json`. */
export const codex: Driver = {
  id: "codex",
  title: "Codex",
  program: "codex",
  keepsConversations: true,
  capsItself: false,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: null,
  readStream: readEvents,
};

/**
 * All options come before `resume`, which accepts fewer of them. One of ours follows the user's own, so that a user's option
 * with any number of values doesn't swallow the prompt.
 */
export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  return {
    command: {
      kind: "argv",
      argv: [
        "codex",
        "exec",
        ...SETTINGS,
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...(turn.question === undefined
          ? [...(turn.permissionMode === null ? [] : [`--sandbox=${turn.permissionMode}`]), ...turn.args]
          : [...withoutPermissions(turn.args), ...READING, `--output-schema=${turn.question.schemaFile}`]),
        "--skip-git-repo-check",
        "--json",
        ...(conversation === null ? [] : ["resume", conversation]),
        "-",
      ],
    },
    stdin: turn.prompt,
    env: {},
  };
}

const MODE = "workspace-write";

/**
 * Without the first, Codex may not write. Nobody is there to approve what its sandbox forbids, so that is denied. A login
 * shell would reset PATH and not find `loop`.
 */
const PERMISSION_SETTINGS = [
  `sandbox_mode=${MODE}`,
  "approval_policy=never",
  "allow_login_shell=false",
].flatMap((setting) => ["-c", setting]);

/**
 * Settings that the user's own arguments, which follow, override. Codex doesn't report what subagents use, so a budget
 * wouldn't see it: they are switched off.
 */
const SETTINGS = [...PERMISSION_SETTINGS, "-c", "agents.enabled=false"];

/** For a question. It follows the user's own arguments, so that it wins. */
const READING = ["-c", "sandbox_mode=read-only", "-c", "approval_policy=never"];

function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, {
    flags: ["--full-auto", "--yolo", "--dangerously-bypass-approvals-and-sandbox"],
    valued: ["--sandbox", "-s", "--ask-for-approval", "-a"],
  });
}

const ASKS_FOR_SANDBOX =
  /^(?:--sandbox(?:=.*)?|-s.*|--full-auto|--yolo|--dangerously-bypass-approvals-and-sandbox)$|sandbox_mode/s;

function permits({ permissionMode, args }: AskedPermissions): string | null {
  if (permissionMode === null && args.some((arg) => ASKS_FOR_SANDBOX.test(arg))) return null;
  return permissionMode === null || permissionMode === MODE
    ? "edit files here and run commands in its sandbox, without network and without writing elsewhere"
    : `do what sandbox mode ${permissionMode} allows`;
}
