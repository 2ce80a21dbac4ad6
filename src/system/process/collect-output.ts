import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** How long to wait for output after the exit before ending processes that still hold the pipe. */
const QUIET_MS = 250;
/** For processes that hold the pipe and keep writing. */
const LONGEST_WAIT_MS = 2_000;

interface Collection {
  /** Resolves when the pipes are closed, or nothing more has come for a while. */
  settled(): Promise<void>;
  stop(): void;
}

export type OutputName = "stdout" | "stderr";

export function collectOutput(
  child: ChildProcess,
  take: (chunk: Buffer, from: OutputName) => void,
): Collection {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let lastChunkAt = 0;
  for (const from of ["stdout", "stderr"] as const) {
    child[from]?.on("data", (chunk: Buffer) => {
      lastChunkAt = performance.now();
      take(chunk, from);
    });
    child[from]?.on("error", () => {}); // 'close' follows, and says all there is to say
  }

  async function silence(signal: AbortSignal): Promise<void> {
    const waitingSince = performance.now();
    for (;;) {
      const now = performance.now();
      const quietAt = Math.max(lastChunkAt, waitingSince) + QUIET_MS;
      const waitMs = Math.min(quietAt, waitingSince + LONGEST_WAIT_MS) - now;
      if (waitMs <= 0) return;
      await sleep(waitMs, undefined, { signal });
    }
  }

  return {
    async settled() {
      const waiting = new AbortController();
      const silent = silence(waiting.signal).catch(() => {});
      await Promise.race([closed, silent]);
      waiting.abort();
    },
    stop() {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}

/** Keeps a small beginning and a large end of a stream in bounded memory. */
export interface CappedOutput {
  append(chunk: Buffer): void;
  /** One part if nothing was left out, otherwise the beginning and the end. */
  parts(): readonly [whole: string] | readonly [head: string, tail: string];
  /** How many bytes are between the two parts. */
  leftOutBytes(): number;
}

const HEAD_SHARE = 1 / 16;

export function createCappedOutput(limitBytes: number): CappedOutput {
  const headLimit = Math.floor(limitBytes * HEAD_SHARE);
  const head = Buffer.alloc(headLimit);
  const ring = createRing(limitBytes - headLimit);
  let headBytes = 0;
  let totalBytes = 0;

  function kept(): readonly [Buffer] | readonly [Buffer, Buffer] {
    const start = head.subarray(0, headBytes);
    const end = ring.contents();
    if (headBytes + end.length === totalBytes) return [Buffer.concat([start, end])];
    return [withoutCutEnd(start), withoutCutStart(end)];
  }

  return {
    append(chunk) {
      totalBytes += chunk.length;
      const intoHead = Math.min(chunk.length, headLimit - headBytes);
      chunk.copy(head, headBytes, 0, intoHead);
      headBytes += intoHead;
      ring.append(chunk.subarray(intoHead));
    },
    parts() {
      const [first, second] = kept();
      return second === undefined ? [decode(first)] : [decode(first), decode(second)];
    },
    leftOutBytes() {
      const [first, second] = kept();
      return totalBytes - first.length - (second?.length ?? 0);
    },
  };
}

function createRing(size: number): { append(chunk: Buffer): void; contents(): Buffer } {
  let ring: Buffer | null = null;
  let next = 0;
  let full = false;
  return {
    append(chunk) {
      if (chunk.length === 0 || size === 0) return;
      ring ??= Buffer.alloc(size);
      const last = chunk.subarray(-size);
      const beforeWrap = Math.min(last.length, size - next);
      last.copy(ring, next, 0, beforeWrap);
      last.copy(ring, 0, beforeWrap);
      full ||= next + last.length >= size;
      next = (next + last.length) % size;
    },
    contents() {
      if (ring === null) return Buffer.alloc(0);
      return full ? Buffer.concat([ring.subarray(next), ring.subarray(0, next)]) : ring.subarray(0, next);
    },
  };
}

/** NUL becomes U+FFFD too, so no terminal, JSON reader or C program downstream sees one. */
function decode(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\uFFFD");
}

/** Leaves out a character that was cut in two. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function withoutCutEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const expected = sequenceLength(bytes[lead]);
  return lead + expected > bytes.length ? bytes.subarray(0, lead) : bytes;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >> 6 === 0b10;
}

function sequenceLength(lead: number | undefined): number {
  if (lead === undefined || lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
