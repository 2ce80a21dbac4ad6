const asked = process.env["LOOP_TEST_EFFORT"];
if (asked !== undefined && asked !== "" && asked !== "full")
  throw new Error(`LOOP_TEST_EFFORT is "${asked}"; set it to full, or unset it.`);

export const isFullEffort = asked === "full";

/** As many of these, spread over all of them, as a usual run has time for; all of them at full effort. */
export function someOf<Each>(all: readonly Each[], usual: number): readonly Each[] {
  if (isFullEffort || usual >= all.length) return all;
  return Array.from({ length: usual }, (_, index) => all[Math.floor((index * all.length) / usual)] as Each);
}

/** How often or how much: enough to show it in a usual run, and as much as is worth waiting for at full effort. */
export function effort(usual: number, full: number): number {
  return isFullEffort ? full : usual;
}
