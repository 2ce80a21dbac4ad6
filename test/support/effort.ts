/**
 * A usual run, for which somebody waits, shows each property once. `.ci/run` asks for `ci`: the variants, too. At full
 * effort, counts are as high as is worth waiting for.
 */
const LEVELS = ["usual", "ci", "full"] as const;

const level = levelOf(process.env["LOOP_TEST_EFFORT"]);

function levelOf(text = ""): (typeof LEVELS)[number] {
  const found = LEVELS.find((each) => each === (text === "" ? "usual" : text));
  if (found === undefined)
    throw new Error(`LOOP_TEST_EFFORT is "${text}"; set it to ci or full, or unset it.`);
  return found;
}

export const isFullEffort = level === "full";

/** Also at full effort. */
export const isCiEffort = level !== "usual";

/** How often or how much: enough to show it in a usual run and in CI, and as much as is worth waiting for at full effort. */
export function effort(usual: number, full: number, ci = usual): number {
  if (isFullEffort) return full;
  return isCiEffort ? ci : usual;
}

/** As many of these, spread over all of them, as a run has time for; all of them at full effort. */
export function someOf<Each>(all: readonly Each[], usual: number, ci = usual): readonly Each[] {
  const count = effort(usual, all.length, ci);
  if (count >= all.length) return all;
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as Each);
}

/** The first of a table in a usual run, and all of it in CI. */
export function oneOf<Each>(all: readonly Each[]): readonly Each[] {
  return isCiEffort ? all : all.slice(0, 1);
}
