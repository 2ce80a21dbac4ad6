import type { Context } from "./context.ts";

/** Somebody is there to be asked. */
export function isAttended(
  { machine, terminal }: Pick<Context, "machine" | "terminal">,
  flags: { readonly json?: boolean },
): boolean {
  return terminal.isInteractive && flags.json !== true && machine.env["LOOP_HEADLESS"] !== "true";
}
