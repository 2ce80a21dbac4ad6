import { callerNow } from "../../storage/loops/choose-loop.ts";
import { UserError } from "../../core/user-error.ts";
import type { Context } from "./context.ts";

/** A driven agent cannot start another one: nobody would account for its budget. */
export function expectOutside({ machine }: Pick<Context, "machine">): void {
  const caller = callerNow(machine);
  if (caller.kind === "agent" && caller.host === "loop")
    throw new UserError("A run cannot start another run; work on the task itself.");
}
