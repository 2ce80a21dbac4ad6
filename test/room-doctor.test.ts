import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";
import { fingerprintOf } from "./support/traces.ts";

test("a doctor says which clean room this machine has, and touches nothing", () => {
  const sandbox = new Sandbox({ "a.txt": "a" });
  const before = fingerprintOf(sandbox.root);
  expect(sandbox.loop("doctor").out).toMatch(
    /clean room {3}(an overlay at the project's own path|a copy at another path|none: )/,
  );
  expect(fingerprintOf(sandbox.root)).toEqual(before);
});
