const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const CLOCK_TIME =
  /resets (?:at )?(?:([a-z]{3})[a-z]* (\d{1,2}),? (?:(\d{4}),? )?(?:at )?)?(\d{1,2})(?::(\d{2}))? ?([ap])m(?: \((UTC)\))?/i;
/** From old clients: `Claude AI usage limit reached|1749924000`. */
const STAMP = /limit reached\|(\d{10,13})\b/i;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A timestamp from a client or service, in seconds or milliseconds since 1970; null for anything else. */
export function timeFrom(stamp: number | null): number | null {
  if (stamp === null || stamp <= 0) return null;
  const time = stamp < 100_000_000_000 ? stamp * 1_000 : stamp;
  return time <= 8_640_000_000_000_000 ? Math.ceil(time) : null;
}

/**
 * When the limit ends, according to a message printed at `at`. `resets 2pm (Asia/Tokyo)` and
 * `resets Nov 18, 5:26am (Asia/Tokyo)` use the time zone of the client's machine, which is ours.
 */
export function resetTimeIn(message: string, at: number): number | null {
  const stamp = STAMP.exec(message)?.[1];
  if (stamp !== undefined) return timeFrom(Number(stamp));
  const match = CLOCK_TIME.exec(message);
  if (match === null) return null;
  const [, month, day, year, hour, minute = "0", half, zone] = match;
  const now = new Date(at);
  const isUtc = zone !== undefined;
  const moment = {
    year: Number(year ?? (isUtc ? now.getUTCFullYear() : now.getFullYear())),
    month: isUtc ? now.getUTCMonth() : now.getMonth(),
    day: isUtc ? now.getUTCDate() : now.getDate(),
    hour: (Number(hour) % 12) + (half?.toLowerCase() === "p" ? 12 : 0),
    minute: Number(minute),
  };
  if (month === undefined) return nextOf(timeOf(moment, isUtc), at);
  const index = MONTHS.indexOf(month.toLowerCase());
  return index < 0 ? null : untilMinuteIsOver(timeOf({ ...moment, month: index, day: Number(day) }, isUtc));
}

interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

function timeOf({ year, month, day, hour, minute }: Moment, isUtc: boolean): number {
  return isUtc
    ? Date.UTC(year, month, day, hour, minute)
    : new Date(year, month, day, hour, minute).getTime();
}

/** A time without a day means its next occurrence; one that just passed is over. */
function nextOf(time: number, at: number): number {
  const over = untilMinuteIsOver(time);
  return over + 5 * MINUTE_MS < at ? over + DAY_MS : over;
}

/** The message has no seconds. */
function untilMinuteIsOver(time: number): number {
  return time + MINUTE_MS;
}
