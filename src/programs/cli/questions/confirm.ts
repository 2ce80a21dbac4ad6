import type { Terminal } from "../../../views/terminal/terminal.ts";
import { choose } from "./choose.ts";

/** Yes or no. `usual` is what Enter means; the end of the input is never a yes. */
export async function confirm(
  terminal: Pick<Terminal, "paint" | "canRewrite" | "print">,
  question: string,
  usual: "yes" | "no" = "no",
): Promise<boolean> {
  const words = { yes: ["yes"], no: ["no"] } as const;
  return (await choose(terminal, question, { words, usual, atEnd: "no" })) === "yes";
}
