import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventOf, LoopEvent } from "../../src/core/events/event.ts";
import { readJournal } from "../../src/storage/journal/file/read.ts";
import { AT_THE_BEGINNING } from "../../src/storage/journal/journal.ts";
import { git, type FleetMachine, type FleetWorld } from "./fleet-machines.ts";
import { leftIn } from "./processes-in.ts";

/** What of a fleet's promises isn't true of a plan that has ended, and of the machines that worked on it, in words. */
export async function fleetFaults(
  { machines }: Pick<FleetWorld, "machines">,
  driver: FleetMachine,
  tasks: readonly string[],
): Promise<readonly string[]> {
  const faults = [...planFaults(driver, machines, tasks)];
  for (const { name, home, root } of machines) {
    for (const line of git(root, "worktree", "list").trim().split("\n").slice(1))
      faults.push(`on ${name} is ${line}`);
    for (const { line } of await leftIn(home)) faults.push(`on ${name} runs ${line}`);
    for (const draft of filesEnding(home, ".tmp")) faults.push(`on ${name} is ${draft}`);
  }
  return faults;
}

function filesEnding(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
}

function planFaults(
  { root }: FleetMachine,
  machines: readonly FleetMachine[],
  tasks: readonly string[],
): readonly string[] {
  const faults: string[] = [];
  const events = planEvents(root);
  const of = <Type extends LoopEvent["type"]>(type: Type): readonly EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  const merged = git(root, "log", "--format=%(trailers:key=Loop-Task,valueonly)")
    .split("\n")
    .filter((line) => line !== "");
  if (merged.toSorted().join(" ") !== tasks.join(" ")) faults.push(`merged: ${merged.join(" ")}`);
  const started = of("attempt.started");
  const over = [...of("attempt.finished"), ...of("attempt.set-back")];
  const charged = of("cost.charged");
  const keyOf = ({ task, number }: { readonly task: string; readonly number: number }): string =>
    `${task}/${number}`;
  if (new Set(started.map(keyOf)).size !== started.length) faults.push("an attempt began twice");
  if (charged.length !== started.length)
    faults.push(`${started.length} began, ${charged.length} were charged`);
  if (over.map(keyOf).toSorted().join(" ") !== started.map(keyOf).toSorted().join(" "))
    faults.push(`ended: ${over.map(keyOf).join(" ")}`);
  for (const task of tasks) {
    const [path = "", ...others] = readFileSync(join(root, `${task}.txt`), "utf8")
      .trim()
      .split("\n");
    const from = path.split("/").at(-1);
    const kept = of("attempt.finished").find((each) => each.task === task);
    const worker = machines.find(({ home }) => path.startsWith(`${home}/`));
    if (kept === undefined || from !== `${task}-${kept.number}` || worker === undefined)
      faults.push(`${task} has the work of ${path}`);
    if (others.some((each) => each !== path)) faults.push(`${task} has also the work of ${others.join(" ")}`);
  }
  return faults;
}

/** What its journal says of the plan. */
export function planEvents(root: string): readonly LoopEvent[] {
  const loops = join(root, ".loop", "loops");
  for (const id of readdirSync(loops)) {
    const events: LoopEvent[] = [];
    readJournal(
      join(loops, id, "journal.jsonl"),
      AT_THE_BEGINNING,
      (record) => void events.push(...record.events),
    );
    if (events.some(({ type }) => type === "plan.adopted")) return events;
  }
  return [];
}
