import type { Trouble } from "../../../core/stop/trouble.ts";
import { detailOf, detailWithReason } from "../bounded-text.ts";
import type { AgentEnding } from "../driver.ts";

/** The exit codes of a shell that cannot run or find a program. */
const NOT_RUNNABLE = new Set([126, 127]);
/** `EX_TEMPFAIL` of sysexits.h: the caller is invited to try again. */
const TRY_AGAIN = 75;

export function troubleOf(ending: AgentEnding): Trouble | null {
  switch (ending.type) {
    case "exited":
      return ending.code === 0 ? null : troubleOfCode(ending.code, ending.stderr);
    case "signalled": {
      const detail = detailWithReason(`the program was ended by ${ending.signal}`, ending.stderr);
      return { kind: "unknown", detail };
    }
    case "not-started":
      return { kind: "blocking", detail: detailOf(`the program cannot be started: ${ending.message}`) };
    case "cut-off":
      return { kind: "interrupted", detail: detailOf(ending.why) };
  }
}

function troubleOfCode(code: number, stderr: string): Trouble {
  const saying = (what: string): string => detailWithReason(`${what} (exit code ${code})`, stderr);
  if (NOT_RUNNABLE.has(code)) {
    return { kind: "blocking", detail: saying("the program cannot be run") };
  }
  if (code === TRY_AGAIN) return { kind: "transient", detail: saying("the program asks for a retry") };
  return { kind: "unknown", detail: saying("the program failed") };
}
