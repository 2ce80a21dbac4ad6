/** What a host sends to a hook, unread: every field may be missing or of another type. */
export type Payload = { readonly [key: string]: unknown };

/** Throws if the text has no payload. */
export function parsePayload(input: string): Payload {
  let payload: unknown;
  try {
    payload = JSON.parse(input);
  } catch {
    throw new Error("the hook's input is not JSON");
  }
  if (typeof payload === "object" && payload !== null) return payload as Payload;
  throw new Error("the hook's input is not a JSON object");
}

export function textOf(payload: Payload, key: string): string | null {
  const value = payload[key];
  return typeof value === "string" ? value : null;
}

export function listOf(payload: Payload, key: string): readonly Payload[] {
  const value = payload[key];
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is Payload => typeof each === "object" && each !== null);
}

export function fieldsOf(payload: Payload, key: string): Payload {
  const value = payload[key];
  return typeof value === "object" && value !== null ? (value as Payload) : {};
}
