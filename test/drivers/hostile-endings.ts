import * as fc from "fast-check";
import type { AgentEnding } from "../../src/agents/drivers/driver.ts";

const stderr = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\n\n", "Error: no\n", `${"x".repeat(4_095)}\n`),
);
const words = fc.string({ unit: "binary", maxLength: 1_000 });

export const hostileEnding: fc.Arbitrary<AgentEnding> = fc.oneof(
  fc.record({
    type: fc.constant("exited" as const),
    code: fc.oneof(fc.constantFrom(0, 1), fc.nat(255)),
    stderr,
  }),
  fc.record({ type: fc.constant("signalled" as const), signal: fc.constant("SIGSEGV"), stderr }),
  fc.record({ type: fc.constant("not-started" as const), message: words }),
  fc.record({ type: fc.constant("cut-off" as const), why: words }),
);
