import type { Sighting, TurnReport } from "../drivers/driver.ts";
import type { Redact } from "../secrets/redact.ts";

/** As it may be shown. A message may have come in pieces, each on a line of its own, and with half a secret in each. */
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

/** As it may be kept. */
export function redactReport(report: TurnReport, redact: Redact): TurnReport {
  const { trouble, lastMessage, denials } = report;
  return {
    ...report,
    trouble: trouble === null ? null : { ...trouble, detail: redact(trouble.detail) },
    lastMessage: lastMessage === null ? null : redact(lastMessage),
    denials: denials.map(({ tool, rule }) => ({ tool: redact(tool), rule: redact(rule) })),
  };
}
