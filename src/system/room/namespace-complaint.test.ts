import { expect, test } from "vitest";
import { namespaceComplaint } from "./namespace-complaint.ts";

test.each([
  ["unshare: unshare failed: Operation not permitted\n", "unshare: unshare failed: Operation not permitted"],
  ["mount: /x: permission denied.\nmore\n", "mount: /x: permission denied."],
  ["\n", null],
])("the first line of %j says why there are no namespaces", (printed, why) => {
  expect(namespaceComplaint(printed)).toBe(why);
});

test("a limit on namespaces isn't taken for a full disk", () => {
  const why = namespaceComplaint("unshare: unshare failed: No space left on device\n");

  expect(why).toContain("max_user_namespaces");
  expect(why).not.toContain("space left");
});
