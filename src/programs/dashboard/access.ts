import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** How long a code in the opened address works. */
const CODE_MS = 60_000;
/** Wrong codes within a minute, before nobody is let in for the rest of it. */
const MOST_WRONG = 10;
const MOST_SESSIONS = 32;

interface Session {
  readonly cookie: Buffer;
  readonly key: Buffer;
}

/**
 * Who may read and press. A one-time code becomes a cookie and a key. A browser sends a host's cookies to every port of it, so
 * another server on this machine may learn the cookie; the key is kept by the page of this port alone. Both are needed.
 */
export class Access {
  readonly #now: () => number;
  readonly #codes = new Map<string, number>();
  #sessions: readonly Session[] = [];
  #wrong: readonly number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  newCode(): string {
    const code = randomBytes(32).toString("base64url");
    this.#codes.set(digest(code).toString("hex"), this.#now() + CODE_MS);
    return code;
  }

  /** null: it is wrong, used or too old. `busy`: too many were wrong. */
  redeem(code: string): { readonly cookie: string; readonly key: string } | "busy" | null {
    const now = this.#now();
    this.#wrong = this.#wrong.filter((at) => now - at < 60_000);
    if (this.#wrong.length >= MOST_WRONG) return "busy";
    // Looked up by digest: how long that takes says nothing about the code.
    const known = digest(code).toString("hex");
    const until = this.#codes.get(known);
    this.#codes.delete(known);
    if (until === undefined || until < now) {
      this.#wrong = [...this.#wrong, now];
      return null;
    }
    const cookie = randomBytes(32).toString("base64url");
    const key = randomBytes(32).toString("base64url");
    const session = { cookie: digest(cookie), key: digest(key) };
    this.#sessions = [...this.#sessions, session].slice(-MOST_SESSIONS);
    return { cookie, key };
  }

  admits(cookie: string | null, key: string | null): boolean {
    if (cookie === null || key === null) return false;
    const given = { cookie: digest(cookie), key: digest(key) };
    return this.#sessions.some(
      (each) => timingSafeEqual(each.cookie, given.cookie) && timingSafeEqual(each.key, given.key),
    );
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function cookieName(port: number): string {
  return `loopwright-${port}`;
}

export function cookieIn(headers: IncomingHttpHeaders, port: number): string | null {
  const pairs = (headers.cookie ?? "").split(/; */);
  const found = pairs.find((pair) => pair.startsWith(`${cookieName(port)}=`));
  return found === undefined ? null : found.slice(cookieName(port).length + 1);
}

/** What a request has to be before anything else is read of it; null: it may go on. */
export function refusalOf(
  { method = "", headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  port: number,
): { readonly status: number; readonly why: string } | null {
  const own = `127.0.0.1:${port}`;
  // Another name for this machine is how a page elsewhere gets around the browser's rules.
  if (headers.host !== own) return { status: 421, why: `This is ${own}.` };
  if (!["GET", "HEAD", "POST"].includes(method)) return { status: 405, why: "GET and POST only." };
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${own}`)
    return { status: 403, why: "Requests from other pages are refused." };
  const site = headers["sec-fetch-site"];
  // Somebody may follow a link to the page; it has no data of its own.
  const isNavigation = method === "GET" && headers["sec-fetch-mode"] === "navigate";
  if (site !== undefined && site !== "same-origin" && !isNavigation)
    return { status: 403, why: "Requests from other pages are refused." };
  if (method !== "POST") return null;
  if (origin === undefined && site === undefined)
    return { status: 403, why: "A request that changes something has to say which page it comes from." };
  const type = headers["content-type"]?.split(";")[0]?.trim();
  return type === "application/json" ? null : { status: 415, why: "Send JSON." };
}
