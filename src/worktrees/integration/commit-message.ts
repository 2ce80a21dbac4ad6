/** What a commit says of itself at its end, by key. */
export type Trailers = { readonly [key: string]: string };

/** A message with its trailers as one last paragraph, as git reads them. */
export function withTrailers(message: string, trailers: Trailers): string {
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${oneLine(value)}`);
  const text = message.replaceAll("\0", "").trim();
  return [...(text === "" ? [] : [text]), ...(lines.length === 0 ? [] : [lines.join("\n")])].join("\n\n");
}

/** The lines that git prints of a message's trailers. The last one of a key counts. */
export function parseTrailers(text: string): Trailers {
  const pairs = text.split("\n").flatMap((line) => {
    const [, key, value] = /^([A-Za-z0-9-]+): ?(.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(pairs);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
