import { UserError } from "../../../core/user-error.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { playFleetDemo, type FleetSceneNews } from "../../demo/play-fleet.ts";
import { hasPostgres } from "../../demo/private-postgres.ts";
import { dollars } from "../../../views/cost.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import type { Context } from "../context.ts";
import { fleetVariables } from "../fleet/fleet-url.ts";
import { canLoadEngine, engineModule, openEngine } from "../fleet/open-engine.ts";
import { showScene } from "./demo-plan.ts";

/** The third scene: three workers on a Postgres of its own, one killed and one frozen in the middle of their tasks. */
export async function showFleetDemo(context: Context, keep: boolean): Promise<void> {
  const { cli, machine, terminal } = context;
  const why = [
    ...(canLoadEngine() ? [] : [`this is Node ${process.versions.node}`]),
    ...(hasPostgres(machine.env) ? [] : ["no initdb was found here"]),
  ];
  if (why.length > 0)
    throw new UserError(
      `This demo needs Node 22.12 or newer and an installed Postgres (package postgresql): ${why.join(", and ")}.`,
    );
  await showScene(context, keep, {
    introduction,
    closing,
    play: async (demo, print) =>
      playFleetDemo({
        ...demo,
        engine: {
          init: async (url) => engineModule(cli).initFleet(url),
          open: async (url, options) => openEngine(cli, url, options),
          variables: fleetVariables,
        },
        tellFleet: (news) => {
          for (const line of fleetLines(terminal, news)) print(line);
        },
      }),
  });
}

function introduction({ paint }: Terminal, folder: string): string {
  return [
    `${paint("bold", "A small shop, six tasks, three workers, and a bad night")}  ${paint("dim", folder)}`,
    paint(
      "dim",
      "Postgres, leases, signatures, worktrees, merges and checks are real. The agents are played from scripts, so nothing is spent.",
    ),
    "",
  ].join("\n");
}

function fleetLines({ paint }: Terminal, news: FleetSceneNews): readonly string[] {
  switch (news.type) {
    case "ready":
      return [
        "$ loop fleet init postgres://…",
        `$ loop worker --accept ${news.key.slice(0, 15)}…     ${paint("dim", `three of them, each in a clone of its own: ${news.workers.join(", ")}`)}`,
        "$ loop run --plan PLAN.md --fleet postgres://…",
        "",
      ];
    case "worker": {
      const task = news.news.key.split("/")[1] ?? "";
      const text =
        news.news.type === "took"
          ? `takes ${task}`
          : `is told that ${task} isn't its own any more; it stops, and its work counts for nothing`;
      return [`  ${paint("cyan", `${news.name} ›`)} ${text}`];
    }
    case "killed":
      return [
        `  ${paint("red", `${news.name} is killed in the middle of ${news.task}: kill -9.`)}`,
        `    ${paint("dim", "Its agent ends with it. Nobody is told; the driver notices the silence after 10 seconds (60 outside of this demo).")}`,
      ];
    case "frozen":
      return [
        `  ${paint("yellow", `${news.name} is frozen in the middle of ${news.task}, like a laptop whose lid is closed.`)}`,
      ];
    case "thawed":
      return [`  ${paint("yellow", `${news.name} wakes up, and believes that it still has ${news.task}.`)}`];
  }
}

function closing({ paint }: Terminal, loop: Loop, seconds: number, folder: string | null): string {
  const attempts = loop.workflow?.attempts.length ?? 0;
  const kept =
    folder === null
      ? paint(
          "dim",
          "  loop demo fleet --keep leaves the folder: the branch, the journals, what each worker has",
        )
      : `  cd ${folder} && git log --stat`;
  return [
    "",
    `${attempts} attempts at 6 tasks on 3 workers, at most ${dollars(loop.spend.usd)} (scripted), ${seconds} s. One worker was killed and one frozen: their tasks were made again elsewhere, and every task was merged once. What lost attempts may have cost counts as spent.`,
    "",
    paint("bold", "Now with machines of yours:"),
    "  loop fleet init URL                       a Postgres that all of them reach; prints your key",
    "  loop worker --fleet URL --accept KEY      on each of them, in a clone; prints its key",
    "  loop fleet trust NAME KEY                 once for each worker",
    "  loop run --plan PLAN.md --fleet URL       here",
    kept,
  ].join("\n");
}
