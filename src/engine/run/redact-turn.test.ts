import { expect, test } from "vitest";
import { NO_BILL, type TurnReport } from "../../agents/drivers/driver.ts";
import { redactReport, redactSighting } from "./redact-turn.ts";
import { redactor } from "../../system/secrets/redact.ts";

const redact = redactor({ EXAMPLE_API_KEY: "sk-live-ABCDEFGH1234" });
const PIECES = ["The key is sk-live-ABCD", "EFGH1234."];
const WHOLE = "The key is [EXAMPLE_API_KEY withheld].";

test("a secret that came in two pieces is taken out of what they make", () => {
  expect(PIECES.map(redact).join("")).toBe(PIECES.join(""));
  expect(redactSighting({ type: "said", text: PIECES.join("") }, redact)).toEqual({
    type: "said",
    text: WHOLE,
  });
  const report: TurnReport = {
    trouble: { kind: "unknown", detail: PIECES.join("") },
    lastMessage: PIECES.join(""),
    conversation: null,
    toolUses: null,
    bill: NO_BILL,
    reportedUsd: null,
    denials: [{ tool: PIECES.join(""), rule: PIECES.join("") }],
  };
  expect(redactReport(report, redact)).toMatchObject({
    trouble: { detail: WHOLE },
    lastMessage: WHOLE,
    denials: [{ tool: WHOLE, rule: WHOLE }],
  });
});
