import type { Needs } from "../../../../views/needs.ts";

/** Times, money and numbers, in words. */

const NUMBERS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

export function inWords(count: number): string {
  return NUMBERS[count] ?? String(count);
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function dollars(usd: number): string {
  return Number.isInteger(usd) ? `$${usd}` : `$${usd.toFixed(2)}`;
}

/** `$1.73 of $5`, `at most $0.12`, `cost unknown`. */
export function costWords(cost: string | null): string {
  if (cost === null) return "";
  return cost.replace(/^unknown/, "cost unknown").replace("/", " of ");
}

/** Behind another sentence. */
export function costSentence(cost: string | null): string {
  const words = costWords(cost);
  return words === "" ? "" : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** Without the budget. */
export function spentWords(cost: string | null): string {
  return costWords(cost).replace(/ of .*/, "");
}

export function clock(at: string): string {
  const date = new Date(at);
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/** With the day where it isn't today. */
export function moment(at: string, now: number): string {
  const date = new Date(at);
  const isToday = new Date(now).toDateString() === date.toDateString();
  return isToday ? clock(at) : `${dayName(at)} ${clock(at)}`;
}

export function dayName(at: string): string {
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

/** `13:48 to 13:54`, or within one minute `13:48, 4 s`. */
export function period(from: string, to: string | null): string {
  if (to === null) return `${clock(from)} to now`;
  return clock(from) === clock(to)
    ? `${clock(from)}, ${duration(Date.parse(to) - Date.parse(from))}`
    : `${clock(from)} to ${clock(to)}`;
}

/** The same at home and on the loop's own page. */
export function needWords({ kind, sentence }: Needs, updatedAt: string | null, now: number): string {
  return kind === "died" && updatedAt !== null
    ? `${sentence}, last seen at ${moment(updatedAt, now)}`
    : sentence;
}

export function waitWords(until: string, now: number): string {
  return `Usage limit. Resumes by itself at ${moment(until, now)}, in ${duration(Date.parse(until) - now)}`;
}

/** Claims that did not hold are history: the loop went on after each. `by`: what caught some of them. */
export function caughtWords(count: number, by: string | null = null): string {
  const mark = count === 1 ? "" : by?.startsWith("all") === true ? "," : ":";
  return `${counted(count, "false claim", "false claims")} caught${by === null ? "" : `${mark} ${by}`}`;
}

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
}
