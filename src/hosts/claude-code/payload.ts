/** What Claude Code sends to a hook, unread: every field may be missing or of another type. */
export type Payload = { readonly [key: string]: unknown };

export function textOf(payload: Payload, key: string): string | null {
  const value = payload[key];
  return typeof value === "string" ? value : null;
}

export function listOf(payload: Payload, key: string): readonly Payload[] {
  const value = payload[key];
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is Payload => typeof each === "object" && each !== null);
}
