import { hostname, userInfo } from "node:os";
import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import { DRIVER_IDS, type DriverId } from "../../../agents/drivers/driver.ts";
import { UserError } from "../../../core/user-error.ts";
import { WORKER_NAME } from "../../../engine/fleet/introductions.ts";
import { OWN_VERSION } from "../../../engine/lifecycle/other-version.ts";
import {
  expectInstalled,
  GIGABYTE,
  installedAgents,
  USUAL_DISK_GIGABYTES,
} from "../../../engine/run/agent-choice.ts";
import { findProject } from "../../../storage/home/project.ts";
import { createMachine } from "../../../storage/loops/machine.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { answerSignals, goOnWithoutReaders } from "../ending-process.ts";
import { expectOutside, type Context } from "../context.ts";
import { FLEET_VARIABLE, fleetUrl, hasPassword, shownUrl, withoutFleet } from "../fleet/fleet-url.ts";
import { collect, parseCount } from "../options.ts";
import { expectLabel } from "../run/task-options.ts";

interface Flags {
  readonly fleet?: string;
  readonly accept?: readonly string[];
  readonly repo?: readonly string[];
  readonly slots?: number;
  readonly labels?: readonly string[];
  readonly agents?: readonly DriverId[];
  readonly account?: string;
  readonly name?: string;
  readonly once?: boolean;
  readonly json?: boolean;
}

const SLOTS = 2;

export function addWorker(program: Command, context: Context): void {
  program
    .command("worker")
    .description(
      "Makes attempts at tasks of plans that are driven on other machines, with the agents and credentials of this one. It runs commands only of drivers that you accept, in clones that you name.",
    )
    .option("--fleet <url>", "the fleet's Postgres database, or @FILE with its URL (default: LOOP_FLEET)")
    .option("--accept <key>", "run what this driver signs, from now on (repeatable)", collect)
    .option("--repo <folder>", "a clone to work in (repeatable; default: this one)", collect)
    .option("--slots <n>", `how many attempts at once (default ${SLOTS})`, parseCount)
    .option("--labels <names>", "also take attempts that ask for one of these: gpu,large", parseLabels)
    .option("--agents <ids>", "which agents it may run (default: those installed)", parseAgents)
    .option("--account <name>", "workers with the same account share its usage limits (default: default)")
    .option("--name <name>", "what drivers see (default: the name of this machine)")
    .option("--once", "end after one attempt")
    .option("--json", "print each event as a line of JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ loop worker --fleet postgres://me@db/fleet?sslmode=verify-full --accept SHA256:…
  $ LOOP_FLEET=postgres://localhost/fleet loop worker --slots 4 --labels gpu
  $ loop worker --fleet @/etc/loop/fleet-url --repo /srv/shop --repo /srv/api

SIGTERM or Ctrl-C lets each attempt end its iteration and hands it back; a second one stops now.
It needs Node 22.12 or newer, and the Postgres of the fleet.`,
    )
    .action(async (flags: Flags) => serve(context, flags));
}

function parseLabels(text: string): readonly string[] {
  return text.split(",").map((each) => expectLabel(each.trim()));
}

function parseAgents(text: string): readonly DriverId[] {
  return text.split(",").map((each) => {
    const id = DRIVER_IDS.find((known) => known === each.trim());
    if (id === undefined) throw new InvalidArgumentError(`Allowed choices are ${DRIVER_IDS.join(", ")}.`);
    return id;
  });
}

async function serve(context: Context, flags: Flags): Promise<void> {
  expectOutside(context);
  const { terminal, cli } = context;
  const named = flags.fleet ?? context.machine.env[FLEET_VARIABLE];
  if (named === undefined) throw new UserError("Say which fleet: --fleet URL, or LOOP_FLEET.");
  const url = fleetUrl(named);
  if (flags.fleet === url && hasPassword(url))
    terminal.complain(
      "loop: Everybody on this machine can see the password in the list of processes; use LOOP_FLEET, or --fleet @FILE.",
    );
  const env = withoutFleet(context.machine.env);
  // Nothing that is started here gets it, not even git.
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  const machine = createMachine(env, context.machine.cwd);
  for (const agent of flags.agents ?? []) expectInstalled(agent, env);
  const agents = flags.agents ?? installedAgents(env);
  if (agents.length === 0)
    throw new UserError("No agent is installed here; install one, or name what may run: --agents ID");
  const name = workerName(flags.name);
  const fleet = await import("../fleet/serve-fleet.ts");
  const repositories = await fleet.repositoriesOf(
    flags.repo ?? [findProject(context.machine.cwd).root],
    context.machine.cwd,
  );
  const signer = fleet.workerKey(machine, name);
  const drivers = fleet.acceptedDrivers(machine, flags.accept ?? []);
  const { soon, now } = endings((text) => terminal.complain(text));
  goOnWithoutReaders();
  const slots = flags.slots ?? SLOTS;
  const tell = flags.json === true ? fleet.asJson(terminal, machine) : fleet.asLines(terminal);
  tell({
    ...{ type: "began", name, fingerprint: signer.fingerprint, fleet: shownUrl(url), slots, agents },
    ...{ drivers: [...drivers], repositories: [...repositories.values()], user: userInfo().username },
  });
  await fleet.serveFleet({
    ...{ machine, cli, url, signer, name, drivers, repositories, agents, slots, soon, now, tell },
    labels: flags.labels ?? [],
    account: flags.account ?? "default",
    version: OWN_VERSION ?? "unknown",
    once: flags.once === true,
    diskBytes: USUAL_DISK_GIGABYTES * GIGABYTE,
  });
  if (now.aborted) process.exit(143);
}

function workerName(given: string | undefined): string {
  const name =
    given ??
    hostname()
      .split(".")[0]
      ?.replaceAll(/[^\w-]+/g, "-") ??
    "";
  if (WORKER_NAME.test(name)) return name;
  throw new UserError(
    `"${oneLine(name, 40)}" can't name a worker: letters, digits, - and _, at most 40 of them; give another one: --name NAME`,
  );
}

/** The first signal drains, the second ends everything now. */
function endings(say: (text: string) => void): { readonly soon: AbortSignal; readonly now: AbortSignal } {
  const soon = new AbortController();
  const now = new AbortController();
  answerSignals((signal) => {
    if (signal === "SIGHUP") return;
    if (soon.signal.aborted) return now.abort();
    say(
      "loop: Handing back what is at work after its iteration. Once more stops now; nothing is lost either way.",
    );
    soon.abort();
  });
  return { soon: soon.signal, now: now.signal };
}
