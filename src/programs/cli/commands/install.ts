import { dirname, join } from "node:path";
import { Argument, Option, type Command } from "commander";
import { expectPerson } from "../../../engine/lifecycle/expect-person.ts";
import { UserError } from "../../../core/user-error.ts";
import { DEFAULT_HOST, findHost } from "../../../agents/hosts/hosts.ts";
import { applyChange } from "../../../agents/hosts/install/settings-file.ts";
import type {
  Installer,
  Part,
  Planned,
  Scope,
  SettingsChange,
} from "../../../agents/hosts/install/installer.ts";
import { SCOPES } from "../../../agents/hosts/install/installer.ts";
import { diffLines } from "../../../agents/hosts/install/text-diff.ts";
import { INSTALLERS } from "../../../agents/hosts/installers.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";
import { printJson, type Context } from "../context.ts";
import { isAgreed } from "../questions/choose.ts";
import { existsSync } from "node:fs";

interface Flags {
  readonly scope?: Scope;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly mcp?: boolean;
}

export function addInstall(program: Command, context: Context): void {
  const { machine } = context;
  program
    .command("install")
    .description(
      "Shows the changes, then adds loop's hooks to the agent's settings. Run it again after moving loop or node to update the paths.",
    )
    .addArgument(hostArgument())
    .addOption(
      new Option("--scope <scope>", "user: every project; project: this one, shared; local: this one, yours")
        .choices(SCOPES)
        .default("user"),
    )
    .option(
      "--mcp",
      "the agent's commands as MCP tools, too, for one whose shell is sandboxed or may not run loop",
    )
    .option("-y, --yes", "write the changes without asking")
    .option("--json", "print the changes as JSON without making them")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop install claude-code\n  $ loop install codex --mcp\n  $ loop install claude-code --scope local --yes",
    )
    .action(async (installer: Installer, flags: Flags) => {
      const hook = join(dirname(context.cli), "hook.js");
      const program = { node: process.execPath, hook };
      const mcp = flags.mcp ?? false;
      const planned = installer.planInstall(machine, flags.scope ?? "user", program, { mcp });
      await carryOut(context, flags, planned, {
        nothing: `The hooks ${mcp ? "and the MCP tools " : ""}are already installed.`,
        done: (parts) =>
          `Installed ${listed(parts)} for new sessions.${parts.includes("hooks") ? "" : " The hooks were there already."} To remove everything again: loop uninstall ${installer.id}`,
        more: [
          ...(installer.id === DEFAULT_HOST.id ? [STATUS_LINE] : [inSession(installer.id)]),
          ...(installer.offersMcp && !mcp ? [mcpOffer(installer.id)] : []),
        ],
      });
    });

  program
    .command("uninstall")
    .description("Shows the changes, then removes loop's hooks, and nothing else, from the agent's settings.")
    .addArgument(hostArgument())
    .addOption(
      new Option("--scope <scope>", "only from this scope (default: wherever they are)").choices(SCOPES),
    )
    .option("-y, --yes", "write the changes without asking")
    .option("--json", "print the changes as JSON without making them")
    .addHelpText("after", "\nExample:\n  $ loop uninstall claude-code")
    .action(async (installer: Installer, flags: Flags) => {
      // Without the hooks, nothing holds an agent.
      if (!flags.json) await expectPerson(machine, "uninstall", null);
      await carryOut(context, flags, installer.planUninstall(machine, flags.scope ?? null), {
        nothing: "No loop hooks found in the settings.",
        done: (parts) => `Removed ${listed(parts)}. Loops and their records are kept.`,
        more: [],
      });
    });
}

/** `the hooks, the skill and the MCP tools`. */
function listed(parts: readonly Part[]): string {
  const named = parts.map((part) => `the ${part}`);
  return [named.slice(0, -1).join(", "), ...named.slice(-1)].filter((each) => each !== "").join(" and ");
}

function mcpOffer(id: string): string {
  return `If its agent's shell is sandboxed or may not run loop, give it the commands as tools: loop install ${id} --mcp`;
}

const STATUS_LINE =
  'To see the loop in your status line, add: "statusLine": { "type": "command", "command": "loop status --line" }';

function inSession(id: string): string {
  const prefix = findHost(id)?.commandPrefix ?? "";
  return `In a session, type: ${prefix}start SPEC. Later: ${["status", "pause", "continue", "cancel"].map((word) => prefix + word).join(", ")}`;
}

/** Help and completion use the choices. */
function hostArgument(): Argument {
  const ids = INSTALLERS.map(({ id }) => id);
  return new Argument("<host>", "the agent").choices(ids).argParser((name): Installer => {
    const found = INSTALLERS.find(({ id }) => id === name);
    if (found !== undefined) return found;
    const known = ids.map((id) => `${id} (${findHost(id)?.title ?? id})`);
    throw new UserError(`loop has no hooks for "${oneLine(name, 40)}"; choose one of ${known.join(", ")}.`);
  });
}

async function carryOut(
  context: Context,
  flags: Flags,
  planned: Planned,
  said: {
    readonly nothing: string;
    done(parts: readonly Part[]): string;
    /** What can be done with it now. */
    readonly more: readonly string[];
  },
): Promise<void> {
  const { terminal } = context;
  if (planned.type === "refused") throw new UserError(printable(planned.why));
  const { changes, parts, notices, afterwards } = planned;
  if (flags.json) return printJson(context, { changes, notices, afterwards });
  for (const notice of notices) terminal.complain(`loop: ${printable(notice)}`);
  const next = afterwards.map(printable);
  if (changes.length === 0) return terminal.print([said.nothing, ...next].join("\n"));
  // Nobody is asked about it, so its name is enough.
  for (const change of changes)
    if (flags.yes === true) terminal.print(headOf(change));
    else show(context, change);
  if (!(await isAgreed(context, flags, "Write this?"))) return terminal.print("Nothing was changed.");
  for (const change of changes) {
    const why = applyChange(change);
    if (why !== null) throw new UserError(printable(why));
  }
  return terminal.print([said.done(parts), ...next, ...said.more].join("\n"));
}

function headOf({ path, before, after }: SettingsChange): string {
  return `${printable(path)}${before === null ? " (new)" : after === null ? " (removed)" : ""}`;
}

function show({ terminal }: Context, change: SettingsChange): void {
  const { before, after } = change;
  terminal.print(terminal.paint("bold", headOf(change)));
  for (const { sign, text } of diffLines(before ?? "", after ?? "")) {
    const line = `${sign} ${printable(text)}`.trimEnd();
    terminal.print(
      sign === "+" ? terminal.paint("green", line) : sign === "-" ? terminal.paint("red", line) : line,
    );
  }
}

/** The plugin is the same files on every system, and its hooks for tools and prompts begin with a script for `sh`. */
const ON_WINDOWS =
  "Claude Code on Windows can't start the plugin's hook.sh: stops are held, but /loop:pause, /loop:continue and /loop:cancel are refused; give those commands in your own terminal.";

export function addPlugin(program: Command, { cli, terminal }: Context): void {
  const plugin = program.command("plugin").description("Where Claude Code finds the plugin of this program.");
  plugin
    .command("path")
    .description(
      "Prints the folder that Claude Code takes as a marketplace. It holds one plugin, loop, of the same version as this program.",
    )
    .addHelpText(
      "after",
      '\nExample:\n  $ claude plugin marketplace add "$(loop plugin path)"\n  $ claude plugin install loop@loopwright',
    )
    .action(() => {
      const folder = dirname(cli);
      if (!existsSync(join(folder, ".claude-plugin", "marketplace.json")))
        throw new UserError(
          "This loop came with the plugin, and offers no plugin itself; ask the one on your PATH, or install it with: npm install -g loopwright",
        );
      if (process.platform === "win32") terminal.complain(`loop: ${ON_WINDOWS}`);
      terminal.print(folder);
    });
}
