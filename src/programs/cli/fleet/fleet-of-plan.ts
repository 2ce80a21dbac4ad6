import { UserError } from "../../../core/user-error.ts";
import type { AttemptEnvelope, Executor } from "../../../engine/plan/executor.ts";
import { NOTHING_SHOWN, untoldUsage } from "../../../engine/plan/executor.ts";
import type { Workspace } from "../../../engine/plan/workspace.ts";
import type { AgentChoice, PlanChoice } from "../../../engine/run/agent-choice.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";

export interface PlanPlaces {
  readonly executor: Executor;
  readonly workspace: Workspace;
  /** How many attempts at once; null: as many as the plan says. */
  readonly parallel: () => number | null;
  /** `isOver`: the plan is, and nobody needs its rows any more. */
  readonly leave: (isOver: boolean) => Promise<void>;
}

interface Places {
  readonly machine: Machine;
  readonly cli: string;
  readonly chosen: KnownLoop;
  readonly how: PlanChoice;
  readonly local: Executor;
  readonly workspace: Workspace;
  readonly choiceFor: (envelope: AttemptEnvelope) => AgentChoice;
  readonly tell: (sentence: string) => void;
}

/** Where the attempts of a plan are made: here, or by the workers of a fleet. Nothing of a fleet is loaded without its URL. */
export async function placesOfPlan(places: Places): Promise<PlanPlaces> {
  const { how, local, workspace } = places;
  if (how.fleet === null) {
    const executor = workspace.isInPlace ? local : onlyHere(local);
    return { executor, workspace, parallel: () => how.parallel, leave: async () => undefined };
  }
  if (workspace.isInPlace) throw new UserError("A fleet's workers need git; this project has none.");
  return inFleet(places, how.fleet);
}

async function inFleet(places: Places, url: string): Promise<PlanPlaces> {
  const { machine, cli, chosen, how, local, workspace, choiceFor, tell } = places;
  const [{ openEngine }, { fleetExecutor, USUAL_TIMES }, { signerOf }, { repositoryOf }] = await Promise.all([
    import("./open-engine.ts"),
    import("../../../engine/fleet/fleet-executor.ts"),
    import("../../../engine/fleet/keys.ts"),
    import("../../../engine/fleet/repository.ts"),
  ]);
  const { project } = chosen.live;
  const repository = await repositoryOf(project.root);
  const { leaseMsOf } = await import("./fleet-url.ts");
  const leaseMs = leaseMsOf(machine.env);
  const engine = await openEngine(cli, url, { leaseMs });
  const fleet = fleetExecutor({
    ...{ engine, machine, project, workflow: chosen.id, repository, choiceFor, how, tell },
    signer: signerOf(machine.home, "driver"),
    label: how.label,
    times: { ...USUAL_TIMES, leaseMs },
  });
  return {
    executor: {
      // One that was begun here has its worktree here.
      runAttempt: async (envelope, signals) =>
        (envelope.worktree === null ? fleet : local).runAttempt(envelope, signals),
    },
    // What workers have on their disks is their affair.
    workspace: { ...workspace, pathOf: () => null, room: async () => null },
    parallel: () => how.parallel ?? Math.max(1, fleet.slots()),
    leave: async (isOver) => {
      await fleet.close();
      if (isOver) await engine.forget(chosen.id).catch(() => undefined);
      await engine.close();
    },
  };
}

/** An attempt that a worker made can't be resumed without its fleet: another one is made here. */
function onlyHere(local: Executor): Executor {
  return {
    runAttempt: async (envelope, signals) => {
      if (envelope.worktree !== null) return local.runAttempt(envelope, signals);
      const detail = "It ran in a fleet that is no longer used.";
      const setback = { kind: "lost", detail, carry: null, failing: [] } as const;
      return {
        ...{ ...NOTHING_SHOWN, ...untoldUsage(envelope), key: envelope.key },
        outcome: { type: "set-back", setback },
      };
    },
  };
}
