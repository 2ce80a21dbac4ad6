import type { IncomingMessage, ServerResponse } from "node:http";

/** Sent with every answer: nothing is kept, guessed or told to others. */
const ALWAYS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
} as const;

const LARGEST_BODY_BYTES = 64 * 1024;

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  answer(response, status, "application/json; charset=utf-8", JSON.stringify(value));
}

export function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: { readonly [name: string]: string } = {},
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...ALWAYS, "Content-Type": type, ...headers });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** null: too long, or no JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
}
