import { numberAt, objectAt, parseJsonLine, textAt, type JsonObject } from "../json-line.ts";

interface ApiError {
  readonly status: number | null;
  readonly message: string;
}

const STATUSES = [400, 401, 403, 404, 408, 413, 429, 499, 500, 501, 502, 503, 504, 529];

/** `[API Error: …]`, followed by advice. Inside is a sentence or the service's answer as JSON, sometimes encoded twice. */
export function readApiError(text: string): ApiError {
  const inside = /^\[API Error: ([^]*)\](?:\n[^\]]*)?$/.exec(text)?.[1] ?? text;
  const error = errorIn(inside);
  return { status: numberAt(error, "code"), message: textAt(error, "message") ?? inside };
}

/** The client exits with the HTTP status, of which the system keeps eight bits. */
export function statusOfExitCode(code: number | null): number | null {
  return STATUSES.find((status) => status === code || status % 256 === code) ?? null;
}

function errorIn(text: string): JsonObject | null {
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  const error = objectAt(parseJsonLine(json), "error");
  return error === null ? null : (errorIn(textAt(error, "message") ?? "") ?? error);
}
