import { Client } from "pg";
import { canLoadEngine } from "../../src/programs/cli/fleet/open-engine.ts";
import { initFleet } from "../../src/programs/fleet-engine/main.ts";
import {
  hasPostgres,
  startPrivatePostgres,
  type PrivatePostgres,
} from "../../src/programs/demo/private-postgres.ts";

/** Whether a server can be had here; `.ci/run` doesn't accept that it can't. */
export function canBePostgres(): boolean {
  if (canLoadEngine() && hasPostgres(process.env)) return true;
  const why = canLoadEngine()
    ? "no Postgres is installed"
    : `Node ${process.versions.node} is older than 22.12`;
  if (process.env["LOOP_TEST_POSTGRES"] === "required") throw new Error(`without Postgres: ${why}`);
  process.stderr.write(`without the tests on Postgres: ${why}\n`);
  return false;
}

/** A server of the tests' own; null: there can't be one here. */
export async function onPostgres(): Promise<PrivatePostgres | null> {
  return canBePostgres() ? startPrivatePostgres(process.env) : null;
}

let databases = 0;

/** Another fleet on the same server. */
export async function freshFleet({ url }: PrivatePostgres): Promise<string> {
  databases += 1;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database fleet_${databases}`);
  await client.end();
  const own = url.replace("/postgres?", `/fleet_${databases}?`);
  await initFleet(own);
  return own;
}
