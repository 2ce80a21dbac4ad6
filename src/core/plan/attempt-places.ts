import type { Attempt } from "./workflow.ts";

type Attempts = readonly Attempt[];

/**
 * Where each task's attempts are in a list of attempts. A list only ever grows at its end, and an attempt keeps its place when it
 * changes, so every version of a list shares one index with the versions before it. Building one for each version would make the
 * cost of a plan grow with the square of its tasks.
 */
interface Places {
  readonly byTask: Map<string, number[]>;
  /** How many places of the longest version are in it. */
  count: number;
}

const known = new WeakMap<Attempts, Places>();

/** The places of a task's attempts, in order. */
export function placesOf(attempts: Attempts, task: string): readonly number[] {
  const { byTask, count } = placesIn(attempts);
  const places = byTask.get(task) ?? [];
  // A later version of the list may have more.
  return count === attempts.length ? places : places.filter((place) => place < attempts.length);
}

export function withOneMore(attempts: Attempts, attempt: Attempt): Attempts {
  const places = placesIn(attempts);
  const next = [...attempts, attempt];
  // Another version has already grown from this one: each goes its own way.
  if (places.count > attempts.length) return next;
  add(places, attempt);
  known.set(next, places);
  return next;
}

export function withChanged(attempts: Attempts, changed: Attempt): Attempts {
  const place = placesOf(attempts, changed.task).find((each) => attempts[each]?.number === changed.number);
  if (place === undefined) return attempts;
  const next = attempts.with(place, changed);
  known.set(next, placesIn(attempts));
  return next;
}

function placesIn(attempts: Attempts): Places {
  const found = known.get(attempts);
  if (found !== undefined) return found;
  const places: Places = { byTask: new Map(), count: 0 };
  for (const attempt of attempts) add(places, attempt);
  known.set(attempts, places);
  return places;
}

function add(places: Places, { task }: Attempt): void {
  const before = places.byTask.get(task);
  if (before === undefined) places.byTask.set(task, [places.count]);
  else before.push(places.count);
  places.count += 1;
}
