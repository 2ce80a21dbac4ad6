import { spawn } from "node:child_process";
import type { Command } from "commander";
import { callerNow } from "../../../storage/loops/caller-now.ts";
import { loadPage } from "../../dashboard/page-file.ts";
import { startDashboard, type Dashboard } from "../../dashboard/server.ts";
import { keepHeapSmall } from "../../dashboard/small-heap.ts";
import type { Context } from "../context.ts";
import { answerSignals } from "../ending-process.ts";
import { parsePort } from "../options.ts";

interface Flags {
  readonly port?: number;
  readonly open: boolean;
  readonly readOnly?: boolean;
}

export function addDashboard(program: Command, context: Context): void {
  program
    .command("dashboard")
    .description(
      "Opens a page with all loops of this machine: what needs you, what was done and how strongly that is shown, what runs and what it costs. It listens on this machine only, and ends with Ctrl-C.",
    )
    .option("--port <n>", "listen on this port instead of a free one", parsePort)
    .option("--no-open", "only print the address")
    .option("--read-only", "without any button that changes something")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop dashboard\n  $ loop dashboard --no-open --port 7777    over ssh: ssh -L 7777:127.0.0.1:7777 HOST",
    )
    .action(async (flags: Flags) => serve(context, flags));
}

async function serve(context: Context, flags: Flags): Promise<void> {
  const { machine, terminal, cli } = context;
  const readOnly = whyReadOnly(context, flags);
  keepHeapSmall();
  const dashboard = await startDashboard({
    machine,
    cli,
    page: loadPage(cli),
    port: flags.port ?? 0,
    readOnly,
  });
  const asked = stopAsked();
  const address = dashboard.newAddress();
  terminal.print(
    `The dashboard is at http://127.0.0.1:${dashboard.port}${readOnly === null ? "" : ", read-only"}`,
  );
  terminal.print(`This link lets one browser in, once, within a minute:\n  ${address}`);
  if (terminal.isInteractive) terminal.print(terminal.paint("dim", "Enter: a new link. Ctrl-C: the end."));
  if (flags.open && terminal.isInteractive) openBrowser(address);
  await untilStopped(context, dashboard, asked);
}

function whyReadOnly({ machine }: Context, { readOnly }: Flags): string | null {
  if (readOnly === true) return "This dashboard was started with --read-only.";
  return callerNow(machine).kind === "agent"
    ? "This dashboard was started by an agent, so it is read-only; start it in your own terminal."
    : null;
}

const OPENERS: { readonly [platform: string]: readonly [string, ...string[]] } = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Where there is no browser, the address is on the screen. */
function openBrowser(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

/** Resolves with the first signal that asks for the end; from here on, none of them ends the program by itself. */
async function stopAsked(): Promise<void> {
  return new Promise((resolve) => answerSignals(() => resolve()));
}

async function untilStopped(
  { terminal }: Context,
  dashboard: Dashboard,
  asked: Promise<void>,
): Promise<void> {
  const onLine = (): void => terminal.print(`  ${dashboard.newAddress()}`);
  if (terminal.isInteractive) process.stdin.on("data", onLine);
  await asked;
  process.stdin.off("data", onLine);
  process.stdin.pause();
  await dashboard.close();
}
