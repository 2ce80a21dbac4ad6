import { oneLine } from "../../system/text/plain-text.ts";

interface Trouble {
  /** What the database does. */
  readonly does: string;
  /** What a person can do about it. */
  readonly help: string;
}

const LET_IN: Trouble = {
  does: "lets nobody in with this user and password",
  help: "if the password was changed, stop this and start it again with the new one",
};

/** By the codes with which Postgres refuses (SQLSTATE). */
const TROUBLES: { readonly [code: string]: Trouble } = {
  "25006": {
    does: "takes no writes",
    help: "let it write again, or stop this and name the server that does",
  },
  "28000": LET_IN,
  "28P01": LET_IN,
  "42501": {
    does: "doesn't allow that to this user",
    help: "a worker's user needs the role loop_worker, and a driver's what made the fleet: loop fleet init",
  },
  "53100": { does: "has a full disk", help: "make room on its machine" },
  "53300": {
    does: "has no connection left",
    help: "raise its max_connections or this user's limit; a driver needs four, and so does each worker",
  },
};

/** Why a fleet's database can't be used now, to follow its name. */
export function troubleWith(error: unknown): string {
  const why = oneLine(error instanceof Error ? error.message : String(error), 200);
  const { does, help } = troubleOf(error) ?? { does: "doesn't answer", help: null };
  return `${does} (${why === "" ? "no answer" : why})${help === null ? "" : `: ${help}`}`;
}

/** What a person can do about it; null: that depends. */
export function helpFor(error: unknown): string | null {
  return troubleOf(error)?.help ?? null;
}

function troubleOf(error: unknown): { readonly does: string; readonly help: string | null } | null {
  const { code, severity } = Object(error) as { readonly code?: unknown; readonly severity?: unknown };
  // Only what the server itself says has one.
  if (typeof code !== "string" || typeof severity !== "string" || isGoingAway(code)) return null;
  return TROUBLES[code] ?? { does: "refuses", help: null };
}

/** It is being stopped, started or recovered. */
function isGoingAway(code: string): boolean {
  return code.startsWith("57P");
}
