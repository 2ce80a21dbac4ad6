import { readFileSync } from "node:fs";
import { UserError } from "../../../core/user-error.ts";
import { oneLine } from "../../../system/text/plain-text.ts";

/** The variable that names a fleet's database. Agents and checks don't get it. */
export const FLEET_VARIABLE = "LOOP_FLEET";

/** For how many seconds a worker may be silent. The same for everybody in a fleet; its engine takes no fewer than 10. */
const LEASE_VARIABLE = "LOOP_FLEET_LEASE";
const SHORTEST_LEASE_S = 10;
const USUAL_LEASE_S = 60;

export function leaseMsOf(env: NodeJS.ProcessEnv): number {
  const seconds = Number(env[LEASE_VARIABLE] ?? USUAL_LEASE_S);
  if (!Number.isInteger(seconds) || seconds < SHORTEST_LEASE_S)
    throw new UserError(`${LEASE_VARIABLE} is a number of seconds, ${SHORTEST_LEASE_S} or more.`);
  return seconds * 1_000;
}

/** What a worker's process is started with. */
export function fleetVariables(url: string, leaseMs: number): NodeJS.ProcessEnv {
  return { [FLEET_VARIABLE]: url, [LEASE_VARIABLE]: String(leaseMs / 1_000) };
}

const FLEET_SECRETS = new Set([FLEET_VARIABLE, "PGPASSWORD", "PGPASSFILE"]);

/** What agents, checks and setup get of the environment of a process that talks to a fleet. */
export function withoutFleet(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !FLEET_SECRETS.has(name)));
}

/** The URL as it was given: a URL, or `@FILE` with one in its first line. */
export function fleetUrl(given: string): string {
  const url = given.startsWith("@") ? fromFile(given.slice(1)) : given;
  const parsed = parsedUrl(url);
  const isNear = isSocketOrLoopback(parsed);
  if (!isNear && !parsed.searchParams.has("sslmode"))
    throw new UserError(
      `The fleet's database is on another machine (${parsed.hostname}); add ?sslmode=verify-full to its URL, or say with another sslmode that the way there is safe.`,
    );
  return url;
}

function fromFile(path: string): string {
  try {
    return readFileSync(path, "utf8").split("\n")[0]?.trim() ?? "";
  } catch {
    throw new UserError(`The file ${oneLine(path, 200)} with the fleet's URL can't be read.`);
  }
}

function parsedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol))
    throw new UserError(
      "A fleet is named by the URL of a Postgres database: postgres://USER@HOST/DATABASE, or @FILE with it in its first line.",
    );
  return url;
}

function isSocketOrLoopback({ hostname, searchParams }: URL): boolean {
  if (searchParams.get("host")?.startsWith("/") === true) return true;
  return ["", "localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.startsWith("%2F");
}

/** For people and files: without its password. */
export function shownUrl(url: string): string {
  const parsed = parsedUrl(url);
  parsed.password = "";
  parsed.searchParams.delete("password");
  return parsed.href;
}

export function hasPassword(url: string): boolean {
  const { password, searchParams } = parsedUrl(url);
  return password !== "" || searchParams.has("password");
}
