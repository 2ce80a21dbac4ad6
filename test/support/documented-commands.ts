/** What the `sh` and `console` blocks of a document tell a reader to type, in order. */
export function commandsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```(sh|console)\n([^]*?)^```$/gm)].flatMap(([, kind, block = ""]) => {
    // A line that ends in a backslash goes on.
    const lines = block.replaceAll(/\\\n\s*/g, "").split("\n");
    const typed =
      kind === "sh" ? lines : lines.flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : []));
    return typed.map((line) => line.replace(/(?:^|\s+)# .*$/, "").trim()).filter((line) => line !== "");
  });
}
