import type { Play, Result } from "./play.ts";
import { nameOf } from "./select.ts";

type Kept = Omit<Result, "play"> & { readonly play: string };

/** A result as a line of JSON. */
export function asLine({ play, ...result }: Result): string {
  const { task, ending, how = null, gate } = play;
  const more = { ecosystem: task.ecosystem, task: task.name, ending: ending.name, how, gate: gate.name };
  const { family, needs = null } = ending;
  return JSON.stringify({ play: nameOf(play), ...more, family, needs, holdout: play.withHoldout, ...result });
}

/** What such lines say of these plays; the last word counts. */
export function fromLines(text: string, plays: readonly Play[]): readonly Result[] {
  const kept = new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Kept)
      .map((each) => [each.play, each]),
  );
  return plays.flatMap((play) => {
    const found = kept.get(nameOf(play));
    if (found === undefined) return [];
    const { verdict, reason, turns, isRight, addedSeconds } = found;
    return [{ play, verdict, reason, turns, isRight, addedSeconds }];
  });
}
