import { createHash } from "node:crypto";

export function digestOf(...texts: readonly string[]): string {
  return createHash("sha256").update(texts.join("\0")).digest("hex");
}

/** What a text can't contain by intent: to know it, one would have to know the text first. */
export function nonceFor(...texts: readonly string[]): string {
  return digestOf(...texts).slice(0, 24);
}
