import { expect, test } from "vitest";
import { unreachable } from "./open-engine.ts";

const URL = "postgres://me@localhost/fleet";

test("a password that nobody gave is asked for, and any other trouble is told in the database's words", () => {
  const asked = new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string");
  expect(unreachable(URL, asked).message).toBe(
    "The fleet's database postgres://me@localhost/fleet asks for a password, and there is none: set LOOP_FLEET to the whole URL or to @FILE with it, or keep the password in ~/.pgpass.",
  );
  expect(unreachable(URL, new Error("connect ECONNREFUSED ::1:5432")).message).toBe(
    "The fleet's database postgres://me@localhost/fleet can't be used: connect ECONNREFUSED ::1:5432.",
  );
});
