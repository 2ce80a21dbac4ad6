import { expect, test } from "vitest";
import { readWorker } from "./introductions.ts";

const WORKER = {
  id: `SHA256:${"A".repeat(43)}`,
  ...{ name: "w1", version: "1.0.0", envelopes: [2], slots: 4, busy: 0, agents: ["claude"] },
  ...{ labels: [], account: "default", repositories: ["r"], isDraining: false },
};

test("a worker introduces itself", () => {
  expect(readWorker(WORKER)).toEqual(WORKER);
});

test.each([
  ["nothing", null],
  ["a key that is none", { ...WORKER, id: "SHA256:x; rm -rf ~" }],
  ["a name that a shell would read", { ...WORKER, name: "w1; rm -rf ~" }],
  ["a name of several lines", { ...WORKER, name: "w1\nw2" }],
  ["more slots than any machine has", { ...WORKER, slots: 1e9 }],
])("whoever writes %s isn't one", (_, row) => {
  expect(readWorker(row)).toBeNull();
});
