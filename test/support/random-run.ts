import { chance } from "./workflow-scenario.ts";
import { DONE, type PlayedTurn } from "./driven.ts";
import { plan, type Scripts } from "./plan-stage.ts";

/** All that happens to a plan on a real repository; the same seed always asks for the same. */
export interface RandomRun {
  readonly text: string;
  readonly tasks: readonly RandomTask[];
  readonly scripts: Scripts;
  readonly parallel: number;
  readonly attemptLimit: number;
  readonly budgetUsd: number;
  /** The run is killed when its journal has so many records, and then again, so many later. */
  readonly kills: readonly number[];
}

interface RandomTask {
  readonly id: string;
  readonly kind: Kind;
  readonly blockers: readonly string[];
}

/**
 * `alone`: touches a file of its own. `shared`: adds its line to a file of several, which conflicts with whoever does so at the same
 * time. `limit`: passes alone, and fails beside another one that was done at the same time.
 */
type Kind = "alone" | "shared" | "limit";

export const TURN_USD = 0.01;
/** A turn that was cut off is played again as the next one. */
const AGAIN = 12;

export function randomRun(seed: number): RandomRun {
  const count = 3 + Math.floor(chance(seed, "count") * 5);
  const idOf = (index: number): string => `T-${String(index + 1).padStart(3, "0")}`;
  const tasks = Array.from({ length: count }, (_, index): RandomTask => {
    const of = chance(seed, "kind", index);
    const blockers = Array.from({ length: index }, (_each, other) => idOf(other)).filter(
      (other) => chance(seed, "blocked", index, other) < 0.25,
    );
    return { id: idOf(index), kind: of < 0.3 ? "alone" : of < 0.7 ? "shared" : "limit", blockers };
  });
  const attemptLimit = 2 + Math.floor(chance(seed, "attempts") * 3);
  const numbers = Array.from({ length: attemptLimit + 1 }, (_, index) => index + 1);
  const scripts = tasks.flatMap((task) =>
    numbers.map((number) => [`${task.id}-${number}`, turnsOf(seed, task, number)] as const),
  );
  const kills = Math.floor(chance(seed, "kills") * 4);
  return {
    text: plan(...tasks.map(({ id, kind, blockers }) => [id, checkOf(id, kind), ...blockers] as const)),
    tasks,
    scripts: Object.fromEntries(scripts),
    parallel: 1 + Math.floor(chance(seed, "parallel") * 4),
    attemptLimit,
    budgetUsd: chance(seed, "poor") < 0.3 ? count * TURN_USD * 0.8 : 5,
    kills: Array.from({ length: kills }, (_, index) => 3 + Math.floor(chance(seed, "kill", index) * 15)),
  };
}

function checkOf(id: string, kind: Kind): string {
  switch (kind) {
    case "alone":
      return `test -f ${id}.txt`;
    case "shared":
      return `grep -qx ${id} shared.txt && ! grep -q '^[<=>|]\\{7\\}' shared.txt`;
    case "limit":
      return `test -f ${id}.limit && test "$(cat *.limit | wc -l)" -le 1`;
  }
}

/** Whatever the worktree has, a conflict or a merge that is red: the same command makes it right. */
function workOf(id: string, kind: Kind): string {
  switch (kind) {
    case "alone":
      return `echo ${id} > ${id}.txt`;
    case "shared":
      return `sed -i '/^|\\{7\\}/,/^=\\{7\\}/d; /^[<=>]\\{7\\}/d' shared.txt; grep -qx ${id} shared.txt || sed -i '1a ${id}' shared.txt`;
    case "limit":
      return `: > ${id}.limit; test "$(cat *.limit | wc -l)" -ge 1 || echo 1 > ${id}.limit`;
  }
}

/** Of what an attempt that fails leaves, nothing may come to the branch. */
export function junkOf(task: string, number: number): string {
  return `junk-${task}-${number}.txt`;
}

function turnsOf(seed: number, { id, kind }: RandomTask, number: number): readonly PlayedTurn[] {
  const isFailing = chance(seed, "fails", id, number) < 0.25;
  const isLimited = chance(seed, "limited", id, number) < 0.15;
  // How many are at work at once, as they see it themselves.
  const at = `"$HOME/at-work"`;
  const work = isFailing ? `echo junk > ${junkOf(id, number)}` : workOf(id, kind);
  const ms = Math.floor(chance(seed, "ms", id, number) * 400);
  const run = `mkdir -p ${at}/now; : > ${at}/now/${id}; ls ${at}/now | wc -l >> ${at}/counts; sleep 0.${String(ms).padStart(3, "0")}; ${work}; rm -f ${at}/now/${id}`;
  const turn: PlayedTurn = { do: [{ run }], say: isFailing ? "I cannot do it." : DONE, usd: TURN_USD };
  const limit: PlayedTurn = { trouble: { kind: "usage-limit", resetsInMs: 1_000 }, usd: 0 };
  return [...(isLimited ? [limit] : []), ...Array.from({ length: AGAIN }, () => turn)];
}
