import type { Writable } from "node:stream";
import type { AcpLine } from "../drivers/acp/lines.ts";
import { objectAt, textAt, type JsonObject } from "../drivers/json-line.ts";

const LONGEST_LINE = 64 * 1024;
const LONGEST_TEXT = 4_000;
/** Long enough to make a line of many pieces, short enough to show what happens. */
const GATHERED_MS = 200;
const PIECES = new Set(["agent_message_chunk", "agent_thought_chunk"]);

/** Prints lines for the reader of the turn. Pieces of one message that come at once become one line. */
export function linePrinter(output: Writable): {
  tell(line: AcpLine): void;
  /** Resolves when all of it was written. */
  end(): Promise<void>;
} {
  let gathered: { readonly kind: string; text: string } | null = null;
  let timer: NodeJS.Timeout | null = null;

  const write = (line: AcpLine): void => void output.write(`${lineOf(line)}\n`);

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (gathered === null) return;
    const { kind, text } = gathered;
    gathered = null;
    write({ type: "update", update: { sessionUpdate: kind, content: { type: "text", text } } });
  }

  return {
    tell(line) {
      const piece = pieceOf(line);
      if (piece === null) {
        flush();
        write(line);
        return;
      }
      if (gathered !== null && gathered.kind !== piece.kind) flush();
      gathered = { kind: piece.kind, text: `${gathered?.text ?? ""}${piece.text}` };
      timer ??= setTimeout(flush, GATHERED_MS);
      if (gathered.text.length > LONGEST_LINE) flush();
    },
    async end() {
      flush();
      await new Promise<void>((resolve) => {
        output.write("", () => resolve());
      });
    },
  };
}

/** null: more than a piece of text, such as one with the usage beside it. */
function pieceOf(line: AcpLine): { readonly kind: string; readonly text: string } | null {
  if (line.type !== "update") return null;
  const update = line.update as JsonObject;
  const kind = textAt(update, "sessionUpdate") ?? "";
  const text = textAt(update, "content", "text");
  return PIECES.has(kind) && text !== null && objectAt(update, "_meta") === null ? { kind, text } : null;
}

/** A call may bring whole files along, before and after: the beginning of each text is enough. */
function lineOf(line: AcpLine): string {
  const text = JSON.stringify(line);
  if (text.length <= LONGEST_LINE || pieceOf(line) !== null) return text;
  return JSON.stringify(line, (_, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
  );
}
