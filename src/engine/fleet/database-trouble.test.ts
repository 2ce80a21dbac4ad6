import { expect, test } from "vitest";
import { helpFor, troubleWith } from "./database-trouble.ts";

/** As `pg` makes one of what the server says. */
function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: "ERROR" });
}

test.each([
  [
    refusal("25006", "cannot execute INSERT in a read-only transaction"),
    "takes no writes (cannot execute INSERT in a read-only transaction): let it write again, or stop this and name the server that does",
  ],
  [
    refusal("28P01", 'password authentication failed for user "w1"'),
    'lets nobody in with this user and password (password authentication failed for user "w1"): if the password was changed, stop this and start it again with the new one',
  ],
  [
    refusal("53100", "No space left on device"),
    "has a full disk (No space left on device): make room on its machine",
  ],
  [refusal("22P02", "invalid input"), "refuses (invalid input)"],
  [
    refusal("57P01", "terminating connection due to administrator command"),
    "doesn't answer (terminating connection due to administrator command)",
  ],
  // No word of a server's.
  [Object.assign(new Error("write EPIPE"), { code: "EPIPE" }), "doesn't answer (write EPIPE)"],
  [new Error(""), "doesn't answer (no answer)"],
  [null, "doesn't answer (null)"],
])("of %s, what the database does and what helps", (error, text) => {
  expect(troubleWith(error)).toBe(text);
});

test("what helps depends where nobody refuses", () => {
  expect(helpFor(new Error("connect ECONNREFUSED"))).toBeNull();
  expect(helpFor(refusal("53300", "sorry, too many clients already"))).toContain("max_connections");
});
