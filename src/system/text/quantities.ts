/** For people: at most two units, always the same two, so that a clock doesn't jump. Rounds seconds up. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of `90s`, `30m`, `2h`, `1d`, or plain seconds; null for anything else. */
export function durationMs(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,9})?)([smhd]?)$/.exec(text.trim());
  const amount = Number(match?.[1]);
  if (match === null || amount <= 0) return null;
  return amount * UNITS_MS[(match[2] || "s") as keyof typeof UNITS_MS];
}

/** How long ago: `just now`, `12 s ago`, `3 min ago`, `2 h ago`, `4 d ago`. */
export function ageText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

const UNITS = ["KB", "MB", "GB", "TB"] as const;

/** `0 B`, `12 KB`, `3.4 MB`: two digits are enough. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit: string = "B";
  for (const next of UNITS) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** `1 task`, `2 tasks`. */
export function counted(count: number, word: string, words = `${word}s`): string {
  return `${count} ${count === 1 ? word : words}`;
}
