const SECONDS = { h: 60, m: 60, s: 1 };

/** Seconds of a duration such as `1h 30m`. */
export function readDuration(text) {
  return [...text.matchAll(/(\d+)([hms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit], 0);
}
