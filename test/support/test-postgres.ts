import { Client } from "pg";
import { initFleet } from "../../src/programs/fleet-engine/main.ts";
import { startPrivatePostgres, type PrivatePostgres } from "../../src/programs/demo/private-postgres.ts";

/** pg-boss asks for it. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 12);

/** A server of the tests' own; null: there can't be one here, which `.ci/run` doesn't accept. */
export async function onPostgres(): Promise<PrivatePostgres | null> {
  const found = isNewEnough ? await startPrivatePostgres(process.env) : null;
  if (found !== null) return found;
  const why = isNewEnough ? "no Postgres is installed" : `Node ${process.versions.node} is older than 22.12`;
  if (process.env["LOOP_TEST_POSTGRES"] === "required") throw new Error(`without Postgres: ${why}`);
  process.stderr.write(`without the tests on Postgres: ${why}\n`);
  return null;
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
