const asked = process.env["LOOP_TEST_EFFORT"];
if (asked !== undefined && asked !== "" && asked !== "full")
  throw new Error(`LOOP_TEST_EFFORT is "${asked}"; set it to full, or unset it.`);

export const isFullEffort = asked === "full";

/** How often or how much: enough to show it in what people run, and as much as is worth waiting for in `.ci/run`. */
export function effort(usual: number, full: number): number {
  return isFullEffort ? full : usual;
}
