import type { Sighting, TurnReport } from "../../agents/drivers/driver.ts";
import type { Redact } from "../../system/secrets/redact.ts";

/** The version to show. A message may come in pieces on separate lines, with half a secret in each. */
export function redactSighting(sighting: Sighting, redact: Redact): Sighting {
  switch (sighting.type) {
    case "said":
      return { ...sighting, text: redact(sighting.text) };
    case "used":
    case "retrying":
      return { ...sighting, detail: redact(sighting.detail) };
    case "failed":
      return { ...sighting, output: redact(sighting.output) };
    case "conversation":
    case "edited":
    case "billed":
      return sighting;
  }
}

/** The version to keep. */
export function redactReport(report: TurnReport, redact: Redact): TurnReport {
  const { trouble, lastMessage, denials } = report;
  return {
    ...report,
    trouble: trouble === null ? null : { ...trouble, detail: redact(trouble.detail) },
    lastMessage: lastMessage === null ? null : redact(lastMessage),
    denials: denials.map(({ tool, rule }) => ({ tool: redact(tool), rule: redact(rule) })),
  };
}
