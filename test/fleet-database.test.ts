import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { connectFleet, initFleet } from "../src/programs/fleet-engine/main.ts";
import { startPrivatePostgres, type PrivatePostgres } from "../src/programs/demo/private-postgres.ts";
import { PATIENCE_MS } from "./support/patience.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";
import { freshFleet, onPostgres } from "./support/test-postgres.ts";

const postgres = await onPostgres();

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A key and a certificate that it signed itself, where the server's user may read them. */
function certificate(name: string, host: string): { readonly key: string; readonly cert: string } {
  const folder = postgres?.folder ?? "";
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...args, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const { uid, gid } = statSync(folder);
  for (const file of [key, cert]) chownSync(file, uid, gid);
  return { key, cert };
}

describe.runIf(postgres !== null)("the database of a fleet", () => {
  const ending: (() => Promise<void>)[] = [];

  afterAll(async () => {
    for (const end of ending.splice(0)) await end();
    await postgres?.end();
  });

  test("over TLS: only a server whose certificate is the expected one is talked to", async () => {
    const own = certificate("server", "localhost");
    const other = certificate("other", "localhost");
    const elsewhere = certificate("elsewhere", "db.example.com");
    const serve = async ({ key, cert }: typeof own): Promise<PrivatePostgres & { readonly at: string }> => {
      const port = await freePort();
      const settings = ["ssl=on", `ssl_key_file=${key}`, `ssl_cert_file=${cert}`];
      const listening = ["listen_addresses=127.0.0.1", `port=${port}`];
      const server = await startPrivatePostgres(process.env, null, [...settings, ...listening]);
      ending.push(server.end);
      return { ...server, at: `postgres://loop@localhost:${port}/postgres` };
    };
    const secure = await serve(own);
    const verified = (at: string, root: string): string => `${at}?sslmode=verify-full&sslrootcert=${root}`;
    await initFleet(verified(secure.at, own.cert));
    const engine = await connectFleet(verified(secure.at, own.cert));
    expect(await engine.workers()).toEqual([]);
    await engine.close();
    const client = new Client({ connectionString: verified(secure.at, own.cert) });
    await client.connect();
    const { rows } = await client.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    await client.end();
    expect(rows).toEqual([{ ssl: true }]);
    // Somebody in between has another key.
    await expect(connectFleet(verified(secure.at, other.cert))).rejects.toThrow(/self-signed certificate/);
    // Signed as it should be, for another machine.
    const misled = await serve(elsewhere);
    await expect(connectFleet(verified(misled.at, elsewhere.cert))).rejects.toThrow(
      /does not match certificate/,
    );
  });

  test("a database without a fleet is refused in a sentence, and whoever asked it ends", async () => {
    const client = new Client({ connectionString: postgres?.url ?? "" });
    await client.connect();
    await client.query("create database without_fleet");
    await client.end();
    const url = (postgres?.url ?? "").replace("/postgres?", "/without_fleet?");
    const home = makeTemporaryFolder();
    const { status, stderr } = spawnSync(process.execPath, ["dist/cli.js", "fleet", "status", url], {
      env: { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: home },
      encoding: "utf8",
      timeout: PATIENCE_MS,
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "loop: This database has no fleet yet; make one with: loop fleet init URL\n",
    });
  });

  test("a worker's role takes jobs and tells of them, and can't submit, alter or delete what is to be done", async () => {
    const url = await freshFleet(postgres as PrivatePostgres);
    const owner = new Client({ connectionString: url });
    await owner.connect();
    await owner.query("create role w1 login in role loop_worker");
    await owner.query(
      "insert into loop_fleet.execution (id, workflow, key, exec, queue, envelope) values (gen_random_uuid(), 'shop', 'shop/T-001/1', 1, 'q', 'signed')",
    );
    const worker = new Client({ connectionString: url.replace("//loop@", "//w1@") });
    await worker.connect();
    ending.push(async () => {
      await worker.end();
      await owner.end();
    });
    const refused = async (statement: string): Promise<string> =>
      worker.query(statement).then(
        () => `allowed: ${statement}`,
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
    const job = "loop_fleet_jobs.job";
    for (const statement of [
      "insert into loop_fleet.execution (id, workflow, key, exec, queue, envelope) values (gen_random_uuid(), 'a', 'b', 1, 'q', 'e')",
      "update loop_fleet.execution set envelope = 'another'",
      "delete from loop_fleet.execution",
      "insert into loop_fleet.control values (gen_random_uuid(), 'stop')",
      "insert into loop_fleet.introduction values ('SHA256:x', 'me')",
      "update loop_fleet.news set text = 'another'",
      "delete from loop_fleet.news",
      "update loop_fleet.code set pack = ''",
      "delete from loop_fleet.code",
      "delete from loop_fleet.worker",
      "update loop_fleet.meta set version = 9",
      `insert into ${job} (name, data) values ('q', '{}')`,
      `update ${job} set data = '{}'`,
      `update ${job} set name = 'another'`,
      `delete from ${job}`,
      "drop table loop_fleet.news",
      "create table loop_fleet.mine (a int)",
      "create role mine",
    ])
      expect(await refused(statement)).toMatch(/permission denied|must be owner/);
    const engine = await connectFleet(url.replace("//loop@", "//w1@"));
    ending.push(async () => engine.close());
    await engine.limit("claude-code@default", 5);
    expect(await engine.limits()).toEqual(new Map([["claude-code@default", 5]]));
  });
});
