import type { StatusView } from "../../../../views/status.ts";
import { counted } from "../shown/words.ts";

export type Workflow = NonNullable<StatusView["workflow"]>;

export type Gate = NonNullable<NonNullable<Workflow["judgement"]>["gate"]>;

/** A gate lets through what nothing speaks against, which is less than shown. */
export function gateSentence({ passed, items }: Gate): string {
  const count = (wanted: string): number => items.filter(({ state }) => state === wanted).length;
  const [met, open] = [count("met"), count("open")];
  const against =
    passed && open === 0
      ? "nothing contradicts it"
      : `${counted(open, "item contradicts", "items contradict")} it`;
  const missing = items.length - met - open;
  return `${against}; ${met} of ${counted(items.length, "item")} ${met === 1 ? "is" : "are"} shown by a check${missing === 0 ? "" : `, ${missing} unproven`}`;
}
