import { expect, test } from "vitest";
import { gather } from "../src/gather.js";
import { pause } from "../src/pause.js";

test("keeps the order", async () => {
  expect(await gather([async () => "a", async () => "b"])).toEqual(["a", "b"]);
});

test("runs tasks at the same time", async () => {
  const results = await gather(Array.from({ length: 10 }, (_, index) => () => pause(150).then(() => index)));
  expect(results).toHaveLength(10);
});
