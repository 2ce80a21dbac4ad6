declare const brand: unique symbol;

/** Names a loop. Safe as a file name, because ids come from files and people and become folders. */
export type LoopId = string & { readonly [brand]: "LoopId" };
/** Names a host's conversation. Safe as a file name, for the same reason. */
export type SessionId = string & { readonly [brand]: "SessionId" };

const LOOP_ID = /^[a-z0-9][a-z0-9-]{0,79}$/;
const SESSION_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

export function parseLoopId(text: unknown): LoopId | null {
  return typeof text === "string" && LOOP_ID.test(text) ? (text as LoopId) : null;
}

export function parseSessionId(text: unknown): SessionId | null {
  return typeof text === "string" && SESSION_ID.test(text) ? (text as SessionId) : null;
}

/** A readable id: the first words of the spec and a suffix that keeps equal specs apart. */
export function createLoopId(spec: string, suffix: string): LoopId {
  const words = spec
    .slice(0, 400)
    // `Übung` is `ubung`, and not `bung`.
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .split("-")
    .filter((word) => word !== "");
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word : `${slug}-${word}`;
    if (longer.length > 32) break;
    slug = longer;
  }
  const id = parseLoopId(`${slug === "" ? "loop" : slug}-${suffix}`);
  if (id === null) throw new Error(`not a usable suffix for a loop id: ${suffix}`);
  return id;
}

const NAME = /^[A-Za-z0-9][\w-]{0,59}$/;

/** What a project has only so many of: `db`. It names a folder, too. */
export function isResourceName(text: string): boolean {
  return NAME.test(text);
}
