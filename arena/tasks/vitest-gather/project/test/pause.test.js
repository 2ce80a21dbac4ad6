import { expect, test } from "vitest";
import { pause } from "../src/pause.js";

test("comes to an end", async () => {
  expect(await pause(1)).toBe(undefined);
});
