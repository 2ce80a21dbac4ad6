import { UserError } from "../../../core/user-error.ts";
import type { Context } from "../context.ts";
import { confirm } from "./confirm.ts";

/** Whether a person agrees to what was just shown: with `--yes`, or at the terminal. */
export async function isAgreed(
  { terminal, answers }: Pick<Context, "terminal" | "answers">,
  { yes }: { readonly yes?: boolean },
  question: string,
  usual: "yes" | "no" = "no",
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isInteractive)
    throw new UserError("Cannot ask without a terminal; read the above, then add --yes.");
  const agreed = await confirm(terminal, question, usual);
  if (agreed) answers.addFlags("--yes");
  return agreed;
}
