import { inWords } from "../shown/words.ts";

/** How many loops of each kind there are. `wants`: of those that finished. */
export interface Counts {
  readonly needs: number;
  readonly runs: number;
  readonly waits: number;
  readonly ended: number;
  readonly wants: number;
}

/** Each loop is counted once: what is worth a look has finished, too. */
export function headline({ needs, runs, waits, ended, wants }: Counts): string {
  const parts = [
    needs === 0
      ? "Nothing needs you."
      : `${inWords(needs)} ${needs === 1 ? "loop needs" : "loops need"} you.`,
    ...(runs === 0 ? [] : [`${inWords(runs)} ${runs === 1 ? "is" : "are"} running.`]),
    ...(waits === 0 ? [] : [`${inWords(waits)} ${waits === 1 ? "waits" : "wait"}.`]),
    ...(ended === 0 ? [] : [`${inWords(ended)} finished${lookWords(ended, wants)}.`]),
  ];
  return parts.join(" ");
}

function lookWords(ended: number, wants: number): string {
  if (wants === 0) return "";
  if (wants === ended) return ended === 1 ? " and is worth a look" : ", all of them worth a look";
  return `, ${inWords(wants).toLowerCase()} of them worth a look`;
}
