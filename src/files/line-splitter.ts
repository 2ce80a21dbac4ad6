const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_ROOM_BYTES = 4096;

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** How much is kept of a line that has not ended; nothing of one that is left out. */
  begunBytes(): number;
  /** Nothing more comes: what stands without a line end is the last line. */
  end(): void;
}

/**
 * Cuts bytes into lines, in memory that neither a line without an end nor any number of lines makes grow: a line that is
 * longer than the limit is left out.
 * A line is decoded whole, so that no character is cut in two; what is no UTF-8 becomes U+FFFD.
 */
export function createLineSplitter(limitBytes: number, onLine: (line: string) => void): LineSplitter {
  let begun = Buffer.alloc(0);
  let begunBytes = 0;
  let dropping = false;

  /** Copied, and into one buffer: an agent may write byte by byte, and each small buffer costs more than its bytes. */
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
    // A long line is rare; its room is not kept for the short ones that follow.
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
