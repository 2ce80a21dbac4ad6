import { readSync } from "node:fs";

const CHUNK_BYTES = 64 * 1024;

/**
 * The whole lines between two positions of a file, without those longer than the limit. Returns the position after the last
 * one, where the next read continues; inside a line that is too long, that is the end of what was read.
 */
export function readLines(
  file: number,
  { from, until, limitBytes }: { readonly from: number; readonly until: number; readonly limitBytes: number },
  onLine: (line: string) => void,
): number {
  const lines = createLineSplitter(limitBytes, onLine);
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, until - from));
  let position = from;
  while (position < until) {
    const bytes = readInto(chunk.subarray(0, Math.min(chunk.length, until - position)), file, position);
    if (bytes.length === 0) break;
    lines.push(bytes);
    position += bytes.length;
  }
  return position - lines.begunBytes();
}

/** Empty when it fails: what was read so far stays. */
function readInto(buffer: Buffer, file: number, position: number): Buffer {
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, position));
  } catch {
    return buffer.subarray(0, 0);
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_ROOM_BYTES = 4096;

interface LineSplitter {
  push(chunk: Buffer): void;
  /** How much of an unfinished line is kept; zero for one that is too long. */
  begunBytes(): number;
  /** The input ended: text without a line end is the last line. */
  end(): void;
}

/**
 * Splits bytes into lines in bounded memory: a line longer than the limit is left out. Each line is decoded as a whole, so no
 * character is split; invalid UTF-8 becomes U+FFFD.
 */
export function createLineSplitter(limitBytes: number, onLine: (line: string) => void): LineSplitter {
  let begun = Buffer.alloc(0);
  let begunBytes = 0;
  let dropping = false;

  /** Copied into one buffer: an agent may write byte by byte, and each small buffer costs more than its bytes. */
  function keep(chunk: Buffer, start: number, end: number): void {
    const bytes = begunBytes + end - start;
    if (bytes > begun.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_ROOM_BYTES, Math.min(2 * bytes, limitBytes)));
      begun.copy(larger, 0, 0, begunBytes);
      begun = larger;
    }
    chunk.copy(begun, begunBytes, start, end);
    begunBytes = bytes;
  }

  function forget(): void {
    begunBytes = 0;
    // Long lines are rare, so their memory isn't kept for the short ones that follow.
    if (begun.length > FIRST_ROOM_BYTES) begun = Buffer.alloc(0);
  }

  function deliverBegun(): void {
    const line = decode(begun, 0, begunBytes);
    forget();
    onLine(line);
  }

  function finish(chunk: Buffer, start: number, end: number): void {
    if (dropping) dropping = false;
    else if (begunBytes + end - start > limitBytes) forget();
    else if (begunBytes === 0) onLine(decode(chunk, start, end));
    else {
      keep(chunk, start, end);
      deliverBegun();
    }
  }

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        finish(chunk, start, end);
        start = end + 1;
      }
      if (start === chunk.length || dropping) return;
      dropping = begunBytes + chunk.length - start > limitBytes;
      if (dropping) forget();
      else keep(chunk, start, chunk.length);
    },
    begunBytes: () => begunBytes,
    end() {
      if (begunBytes > 0) deliverBegun();
    },
  };
}

function decode(bytes: Buffer, start: number, end: number): string {
  const withReturn = end > start && bytes[end - 1] === CARRIAGE_RETURN;
  return bytes.toString("utf8", start, withReturn ? end - 1 : end);
}
