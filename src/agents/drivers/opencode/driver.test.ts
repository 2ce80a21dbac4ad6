import { readFileSync } from "node:fs";
import {
  CUT_OFF,
  describeDriver,
  EXIT_0,
  EXIT_1,
  KILLED,
  type Specimen,
} from "../../../../test/drivers/conformance.ts";
import type { TurnReport } from "../driver.ts";
import { opencode } from "./driver.ts";

const specimen = (name: string, ending: Specimen["ending"], expect: Partial<TurnReport>): Specimen => ({
  file: `opencode/${name}.jsonl`,
  ending,
  expect,
});

const answered = (status: number, said: string): string => `the model's service answered ${status}: ${said}`;

/** When the recorded error was told. */
function toldAt(name: string): number {
  const event: unknown = JSON.parse(readFileSync(`test/streams/opencode/${name}.jsonl`, "utf8"));
  return (event as { readonly timestamp: number }).timestamp;
}

describeDriver("opencode", {
  driver: opencode,
  takes: ["args", "model", "permissionMode"],
  permissionMode: "auto",
  specimens: [
    specimen("finished", EXIT_0, { trouble: null, lastMessage: "All done.", toolUses: 3 }),
    specimen("resumed", EXIT_0, { trouble: null, lastMessage: "Second.", toolUses: 0 }),
    specimen("edits", EXIT_0, { trouble: null, lastMessage: "Edited.", toolUses: 3 }),
    specimen("patch", EXIT_0, { trouble: null, lastMessage: "Patched.", toolUses: 1 }),
    specimen("timed-out-command", EXIT_0, { trouble: null, lastMessage: "Slow." }),
    specimen("cut-short", EXIT_0, { trouble: null, lastMessage: "Half" }),
    specimen("subagent", EXIT_0, { trouble: null, lastMessage: "Main answer.", toolUses: 1 }),
    specimen("no-price", EXIT_0, { trouble: null, lastMessage: "Free." }),
    specimen("denied", EXIT_0, { trouble: null, lastMessage: "Writing.", toolUses: 0 }),
    specimen("denied-two", EXIT_0, { trouble: null, lastMessage: null, toolUses: 0 }),
    specimen("denied-by-rule", EXIT_0, { trouble: null, lastMessage: "Could not.", denials: [] }),
    specimen("outside", EXIT_0, { trouble: null, lastMessage: null }),
    specimen("too-long-summed-up", EXIT_1, { trouble: null, lastMessage: "After." }),
    specimen("too-long", EXIT_1, {
      trouble: {
        kind: "lost-conversation",
        detail:
          "opencode failed: This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
      },
      lastMessage: null,
    }),
    specimen("rate-limit", EXIT_1, {
      trouble: {
        kind: "usage-limit",
        detail: answered(429, "Scripted 429"),
        resetsAt: toldAt("rate-limit") + 1_000,
      },
    }),
    specimen("rate-limit-ms", EXIT_1, {
      trouble: {
        kind: "usage-limit",
        detail: answered(429, "Scripted 429"),
        resetsAt: toldAt("rate-limit-ms") + 5,
      },
    }),
    specimen("rate-limit-bare", EXIT_1, {
      trouble: { kind: "usage-limit", detail: answered(429, "Scripted 429"), resetsAt: null },
    }),
    specimen("unpaid-quota", EXIT_1, {
      trouble: {
        kind: "blocking",
        detail: answered(429, "You exceeded your current quota, please check your plan and billing details."),
      },
    }),
    specimen("unavailable", EXIT_1, {
      trouble: { kind: "transient", detail: answered(503, "Scripted 503") },
    }),
    specimen("overloaded", EXIT_1, { trouble: { kind: "transient", detail: answered(529, "Overloaded") } }),
    specimen("unauthorized", EXIT_1, {
      trouble: { kind: "blocking", detail: answered(401, "Incorrect API key provided: fake.") },
    }),
    specimen("unpaid", EXIT_1, {
      trouble: { kind: "blocking", detail: answered(402, "Insufficient credits") },
    }),
    specimen("bad-request", EXIT_1, {
      trouble: { kind: "unknown", detail: answered(400, "Scripted 400") },
    }),
    specimen("no-such-model", EXIT_1, {
      trouble: { kind: "blocking", detail: answered(404, "The model `scripted` does not exist") },
    }),
    specimen("unreachable", EXIT_1, {
      trouble: {
        kind: "transient",
        detail:
          "opencode failed: Cannot connect to API: Unable to connect. Is the computer able to access the url?",
      },
    }),
    specimen("unknown-model", EXIT_1, {
      trouble: {
        kind: "unknown",
        detail: "opencode failed: Unexpected server error. Check server logs for details.",
      },
    }),
    specimen(
      "killed",
      { type: "signalled", signal: "SIGTERM", stderr: "" },
      {
        trouble: { kind: "interrupted", detail: "opencode was ended by SIGTERM" },
        lastMessage: "Sleeping.",
        conversation: "ses_e1d67012bffeluJOcKFythuI4z",
      },
    ),
    specimen("killed", KILLED, {
      trouble: { kind: "interrupted", detail: "opencode was ended by SIGKILL" },
    }),
    specimen("killed", EXIT_0, {
      trouble: { kind: "unknown", detail: "opencode ended in the middle of its turn (exit code 0)" },
    }),
    specimen("killed", EXIT_1, {
      trouble: {
        kind: "unknown",
        detail: "opencode ended in the middle of its turn (exit code 1): something broke",
      },
    }),
    specimen("broken-off", CUT_OFF, { trouble: { kind: "interrupted", detail: "it was stopped" } }),
  ],
});
