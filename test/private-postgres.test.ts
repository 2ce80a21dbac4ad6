import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { hasPostgres, startPrivatePostgres } from "../src/programs/demo/private-postgres.ts";

test.runIf(hasPostgres(process.env))("a server that doesn't start leaves no folder behind", async () => {
  const folders: string[] = [];
  const guardian = { guard: () => () => {}, guardFolder: (path: string) => void folders.push(path) };
  const starting = startPrivatePostgres(process.env, guardian, ["no_such_setting=1"]);
  await expect(starting).rejects.toThrow("The private Postgres didn't start.");
  expect(folders.map((folder) => existsSync(folder))).toEqual([false]);
});
