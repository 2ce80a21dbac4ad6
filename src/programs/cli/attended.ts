import type { Context } from "./context.ts";

/** Whether a person is there to answer questions. */
export function isAttended(
  { machine, terminal }: Pick<Context, "machine" | "terminal">,
  flags: { readonly json?: boolean },
): boolean {
  return terminal.isInteractive && flags.json !== true && machine.env["LOOP_HEADLESS"] !== "true";
}
