import type { Command } from "commander";
import { UserError } from "../../../core/user-error.ts";
import { LEASE_MS, type SeenWorker } from "../../../engine/fleet/fleet-engine.ts";
import { parseFingerprint, pinKey, pinnedKeys, signerOf, unpinKey } from "../../../engine/fleet/keys.ts";
import { ENVELOPE_VERSION } from "../../../engine/fleet/envelopes.ts";
import { seenWorkers } from "../../../engine/fleet/roster.ts";
import { padded } from "../../../system/text/display-width.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { durationText } from "../../../system/text/quantities.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import { expectOutside, printJson, type Context } from "../context.ts";
import { FLEET_VARIABLE, fleetUrl, shownUrl } from "../fleet/fleet-url.ts";
import { engineModule, openEngine, unreachable } from "../fleet/open-engine.ts";

const URL_ARGUMENT = [
  "[url]",
  "the fleet's Postgres database, or @FILE with its URL (default: LOOP_FLEET)",
] as const;

export function addFleet(program: Command, context: Context): void {
  const fleet = program
    .command("fleet")
    .description(
      "Many machines for one plan: a Postgres database hands attempts to `loop worker` processes anywhere. Scheduling, merging and judging stay with `loop run --plan … --fleet URL`.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ loop fleet init postgres://me@db/fleet?sslmode=verify-full
  $ loop fleet trust w1 SHA256:…
  $ loop run --plan PLAN.md --fleet postgres://me@db/fleet?sslmode=verify-full
  $ loop fleet status

It needs Node 22.12 or newer on every machine that takes part, and a Postgres (12 or newer) that all of them reach.`,
    );
  fleet
    .command("init")
    .description(
      "Makes the tables of a fleet and your key, and says how to start a worker. Repeating it changes nothing.",
    )
    .argument(...URL_ARGUMENT)
    .option("--fleet <url>", "the same, as the other commands have it")
    .addHelpText("after", "\nExample:\n  $ loop fleet init postgres://localhost/fleet")
    .action(async (url: string | undefined, flags: { readonly fleet?: string }) =>
      init(context, url ?? flags.fleet),
    );
  fleet
    .command("trust")
    .description("Accepts the results of a worker from now on, by the key that it printed.")
    .argument("<name>", "what you call it")
    .argument("<key>", "SHA256:…")
    .option("--drop", "no longer accept it")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop fleet trust w1 SHA256:…\n  $ loop fleet trust w1 SHA256:… --drop",
    )
    .action((name: string, key: string, flags: { readonly drop?: boolean }) =>
      trust(context, name, key, flags),
    );
  fleet
    .command("status")
    .description(
      "Shows who works where: workers, their slots, agents and versions, and whether you accepted them.",
    )
    .argument(...URL_ARGUMENT)
    .option("--fleet <url>", "the same, as the other commands have it")
    .option("--json", "print it as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop fleet status\n  $ loop fleet status postgres://localhost/fleet --json",
    )
    .action(async (url: string | undefined, flags: { readonly fleet?: string; readonly json?: boolean }) =>
      status(context, url ?? flags.fleet, flags),
    );
}

function namedUrl({ machine }: Context, given: string | undefined): string {
  const named = given ?? machine.env[FLEET_VARIABLE];
  if (named === undefined) throw new UserError("Say which fleet: its URL, or LOOP_FLEET.");
  return fleetUrl(named);
}

async function init(context: Context, given: string | undefined): Promise<void> {
  expectOutside(context);
  const { terminal, machine, cli } = context;
  const url = namedUrl(context, given);
  const { initFleet } = engineModule(cli);
  const role = await initFleet(url).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  const { fingerprint } = signerOf(machine.home, "driver");
  terminal.print(`The fleet is ready: ${shownUrl(url)}`);
  terminal.print(
    role === null
      ? "No role for workers was made, since you may not make roles here; let a user who may run loop fleet init, too."
      : `Workers need no more than the role ${role}: create a user, and grant it that role.`,
  );
  terminal.print("\nOn each machine that is to work, in a clone of the repository:");
  terminal.print(`  loop worker --fleet URL --accept ${fingerprint}`);
}

function trust(context: Context, name: string, key: string, { drop }: { readonly drop?: boolean }): void {
  expectOutside(context);
  const { terminal, machine } = context;
  const fingerprint = parseFingerprint(key);
  if (fingerprint === null)
    throw new UserError(`"${oneLine(key, 60)}" is not a key; the worker prints it when it starts: SHA256:…`);
  const label = oneLine(name, 40);
  if (drop === true) {
    if (!unpinKey(machine.home, "workers", fingerprint)) throw new UserError("That worker wasn't accepted.");
    return terminal.print(`${label} is no longer accepted; a driver that runs notices within a few seconds.`);
  }
  pinKey(machine.home, "workers", fingerprint, label);
  return terminal.print(`${label} is accepted. Its results are judged here like any other.`);
}

async function status(
  context: Context,
  given: string | undefined,
  flags: { readonly json?: boolean },
): Promise<void> {
  const { terminal, machine, cli } = context;
  const url = namedUrl(context, given);
  const engine = await openEngine(cli, url);
  try {
    const [workers, limits] = [await seenWorkers(engine), await engine.limits()];
    const accepted = pinnedKeys(machine.home, "workers");
    const waits = [...limits].filter(([, until]) => until > machine.now());
    if (flags.json === true)
      return printJson(context, {
        fleet: shownUrl(url),
        envelope: ENVELOPE_VERSION,
        workers: workers.map((each) => ({ ...each, state: stateOf(each), accepted: accepted.has(each.id) })),
        waits: waits.map(([account, until]) => ({ account, until: new Date(until).toISOString() })),
      });
    if (workers.length === 0)
      return terminal.print(
        `No worker has come yet. Start one: loop worker --fleet URL --accept ${signerOf(machine.home, "driver").fingerprint}`,
      );
    for (const each of workers) terminal.print(workerLine(terminal, each, accepted));
    for (const name of sharedNames(workers))
      terminal.print(
        `Two workers are called ${oneLine(name, 24)}: start one of them with another --name, so that what is said of them can be told apart.`,
      );
    for (const [account, until] of waits)
      terminal.print(
        `${oneLine(account, 80)} waits for its usage limit until ${new Date(until).toISOString()}`,
      );
  } finally {
    await engine.close();
  }
}

function sharedNames(workers: readonly SeenWorker[]): readonly string[] {
  const names = workers.filter((each) => stateOf(each) !== "gone").map(({ name }) => name);
  return [...new Set(names.filter((name, place) => names.indexOf(name) !== place))];
}

function stateOf({ seenMsAgo, isDraining }: SeenWorker): "here" | "ending" | "gone" {
  if (seenMsAgo >= LEASE_MS) return "gone";
  return isDraining ? "ending" : "here";
}

function workerLine({ paint }: Terminal, worker: SeenWorker, accepted: ReadonlyMap<string, string>): string {
  const { id, name, version, slots, busy, agents, labels, account, seenMsAgo } = worker;
  const state = stateOf(worker);
  const seen =
    state === "gone"
      ? `last seen ${durationText(seenMsAgo)} ago`
      : slots === 0
        ? "its disk is full"
        : `${busy} of ${slots} slots`;
  const parts = [
    padded(oneLine(name, 24), 16),
    paint(state === "here" ? "bold" : "dim", padded(state, 7)),
    seen,
    oneLine(agents.join(", "), 80),
    ...(labels.length === 0 ? [] : [oneLine(labels.join(", "), 40)]),
    `account ${oneLine(account, 24)}`,
    `loopwright ${oneLine(version, 20)}`,
  ].join("  ");
  return accepted.has(id)
    ? parts
    : `${parts}\n  not accepted: loop fleet trust ${oneLine(name, 24)} ${oneLine(id, 60)}`;
}
