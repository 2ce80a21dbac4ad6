const CLOCK_TIME = /try again at (?:([a-z]{3})[a-z]* (\d{1,2})[a-z]{2}, (\d{4}) )?(\d{1,2}):(\d{2}) ([ap])m/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const TIME_SPAN = /try again in ((?:[\d.]+ ?[a-z]+[ ,]*)+)/i;
const SPAN_PART = /([\d.]+) ?([a-z]+)/gi;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When to try again, according to a message printed at `at`; in milliseconds since 1970. */
export function resetTimeIn(message: string, at: number): number | null {
  return clockTimeIn(message, at) ?? timeSpanIn(message, at);
}

/** `5:12 AM` on that day, or `Nov 18th, 2026 11:46 AM`, both in this machine's time zone. */
function clockTimeIn(message: string, at: number): number | null {
  const match = CLOCK_TIME.exec(message);
  if (match === null) return null;
  const [, month, day, year, hour, minute, half] = match;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  const date = new Date(at);
  if (month !== undefined) {
    const index = MONTHS.indexOf(month.toLowerCase());
    if (index < 0) return null;
    date.setFullYear(Number(year), index, Number(day));
  }
  date.setHours(hours, Number(minute), 0, 0);
  // Without seconds, only the end of that minute is certain.
  return date.getTime() + MINUTE_MS;
}

/** `1.5s`, or `3 days 5 hours 2 minutes`. */
function timeSpanIn(message: string, at: number): number | null {
  const span = TIME_SPAN.exec(message)?.[1];
  if (span === undefined) return null;
  let wait = 0;
  for (const [, number, unit = ""] of span.matchAll(SPAN_PART)) {
    const unitMs = unitOf(unit.toLowerCase());
    if (unitMs !== null) wait += Number(number) * unitMs;
  }
  return Number.isFinite(wait) && wait > 0 ? at + Math.ceil(wait) : null;
}

function unitOf(unit: string): number | null {
  if (unit === "ms") return 1;
  switch (unit[0]) {
    case "s":
      return SECOND_MS;
    case "m":
      return MINUTE_MS;
    case "h":
      return HOUR_MS;
    case "d":
      return DAY_MS;
    case undefined:
    default:
      return null;
  }
}
