import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
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

/** What a server says of who comes in: the kind of step, and what belongs to it. */
function authentication(step: number, text: string): Buffer {
  const head = Buffer.alloc(9);
  head.write("R");
  head.writeUInt32BE(8 + Buffer.byteLength(text), 1);
  head.writeUInt32BE(step, 5);
  return Buffer.concat([head, Buffer.from(text)]);
}

test("a connection that never got in is closed, though its server would wait", async () => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.once("close", () => open.delete(socket)).on("error", () => undefined));
    socket.once("data", () => {
      socket.write(authentication(10, "SCRAM-SHA-256\0\0"));
      socket.once("data", () => void socket.write(authentication(11, "r=1,s=MQ==,i=1")));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const connection = new Connection(`postgres://me@127.0.0.1:${port}/fleet`);
  await expect(connection.open()).rejects.toThrow("client password must be a string");
  await connection.close();
  await expect.poll(() => open.size, PATIENT).toBe(0);
});
