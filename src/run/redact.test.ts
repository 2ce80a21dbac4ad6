import { expect, test } from "vitest";
import { redactor } from "./redact.ts";

const SECRET = 'pass"word\\1\n';
const redact = redactor({
  DB_PASSWORD: SECRET,
  PATH: "/usr/bin",
  API_KEY: "short",
  GITHUB_TOKEN: "ghp_12345678",
});

test("secrets are taken out, as they are and as JSON writes them", () => {
  expect(redact(`before ${SECRET} after ghp_12345678`)).toBe(
    "before [DB_PASSWORD withheld] after [GITHUB_TOKEN withheld]",
  );
  const line = JSON.stringify({ said: `the password is ${SECRET}` });
  expect(JSON.parse(redact(line))).toEqual({ said: "the password is [DB_PASSWORD withheld]" });
});

test("what is no secret, or too short to be told from other words, stays", () => {
  expect(redact("in /usr/bin a short walk")).toBe("in /usr/bin a short walk");
});
