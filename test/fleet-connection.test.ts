import { afterAll, expect, test } from "vitest";
import { Client } from "pg";
import { hasPostgres, startPrivatePostgres } from "../src/programs/demo/private-postgres.ts";
import { Connection } from "../src/programs/fleet-engine/connection.ts";
import { PATIENT } from "./support/patience.ts";

const postgres = hasPostgres(process.env) ? await startPrivatePostgres(process.env) : null;

afterAll(async () => postgres?.end());

async function connections(): Promise<number> {
  const client = new Client({ connectionString: postgres?.url });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as count from pg_stat_activity where application_name = 'loopwright'",
  );
  await client.end();
  return (rows[0] as { readonly count: number }).count;
}

test.runIf(postgres !== null)(
  "a connection that is closed while it is still being made is closed all the same",
  async () => {
    for (let count = 0; count < 3; count += 1) {
      const connection = new Connection(postgres?.url ?? "");
      await connection.open();
      await connection.close();
    }
    await expect.poll(connections, PATIENT).toBe(0);
  },
);
