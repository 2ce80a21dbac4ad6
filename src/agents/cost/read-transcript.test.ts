import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CLAUDE_CODE_TRANSCRIPT } from "../hosts/claude-code/transcript.ts";
import { parsePrices } from "./price.ts";
import { cursorAtEnd, readSpend, type Charge } from "./read-transcript.ts";
import { decodeCursor, encodeCursor, MOST_SUBAGENTS, type SpendCursor } from "./spend-cursor.ts";
import type { Transcript } from "./transcript.ts";

vi.mock(import("node:fs"), async (original) => {
  const real = await original();
  return { ...real, readSync: vi.fn(real.readSync) as unknown as typeof real.readSync };
});

const { table } = parsePrices(null);
const NOTHING: Charge = { usd: 0, tokens: 0, priced: true };
/** Later than any look of a test, as a row written after the look is. */
const LATER = new Date(Date.now() + 3_600_000).toISOString();
const EARLIER = new Date(Date.now() - 3_600_000).toISOString();

const at = (path: string): Transcript => ({ path, format: CLAUDE_CODE_TRANSCRIPT });

let folder: string;
let transcript: string;
let cursor: SpendCursor | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cost-"));
  transcript = join(folder, "session-1.jsonl");
  cursor = null;
  vi.mocked(readSync).mockClear();
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Asked {
  readonly id?: string;
  readonly input?: number;
  readonly output?: number;
  readonly model?: string;
  readonly usage?: object;
  readonly row?: object;
}

/** A million of Sonnet 5's input tokens are $2, of its output tokens $10. */
function row({
  id = "msg_1",
  input = 0,
  output = 0,
  model = "claude-sonnet-5",
  usage = {},
  row = {},
}: Asked): string {
  return JSON.stringify({
    type: "assistant",
    requestId: `req_${id}`,
    uuid: `uuid-${id}`,
    timestamp: LATER,
    message: { id, model, content: [], usage: { input_tokens: input, output_tokens: output, ...usage } },
    ...row,
  });
}

/** More than a cursor remembers. */
function manyRows(): readonly string[] {
  return Array.from({ length: 100 }, (_, index) => row({ id: `many-${index}`, input: 10_000 }));
}

function write(...lines: readonly string[]): void {
  appendFileSync(transcript, lines.map((line) => `${line}\n`).join(""));
}

function writeSubagent(name: string, ...lines: readonly string[]): string {
  const path = join(folder, "session-1", "subagents", `${name}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

/** Goes on from the last look, by way of the cursor's text. */
function spend(): Charge {
  const next = readSpend({ transcript: at(transcript), cursor, table });
  cursor = decodeCursor(encodeCursor(next.cursor));
  expect(cursor).toEqual(next.cursor);
  return next.charge;
}

function bytesRead(): number {
  return vi.mocked(readSync).mock.results.reduce((sum, { value }) => sum + Number(value), 0);
}

describe("counting from the opening", () => {
  it("starts at the end of what is there, and charges what comes after", () => {
    write(row({ id: "old", input: 1_000_000 }));
    expect(spend()).toEqual(NOTHING);
    write(row({ id: "new", input: 500_000, output: 100_000 }));
    expect(spend()).toEqual({ usd: 2, tokens: 600_000, priced: true });
    expect(spend()).toEqual(NOTHING);
  });

  it("charges only the growth of the message that was at work then", () => {
    write(row({ input: 1_000_000, output: 1 }));
    cursor = cursorAtEnd(at(transcript));
    write(row({ input: 1_000_000, output: 100_001 }));
    expect(spend()).toEqual({ usd: 1, tokens: 100_000, priced: true });
  });

  it("charges what was written since then where nothing was counted yet, and only what says when", () => {
    write(row({ id: "old", input: 3_000_000, row: { timestamp: EARLIER } }));
    write(row({ id: "new", input: 1_000_000 }));
    write(row({ id: "untimed", input: 5_000_000, row: { timestamp: undefined } }));
    const next = readSpend({ transcript: at(transcript), cursor, since: Date.now(), table });
    expect(next.charge).toEqual({ usd: 2, tokens: 1_000_000, priced: true });
    ({ cursor } = next);
    expect(spend()).toEqual(NOTHING);
  });

  it("counts a transcript that appears later from its beginning", () => {
    cursor = cursorAtEnd(at(transcript));
    expect(spend()).toEqual(NOTHING);
    write(row({ input: 1_000_000 }));
    expect(spend()).toEqual({ usd: 2, tokens: 1_000_000, priced: true });
  });

  it("charges what was written between its first look and one that found no file yet", () => {
    vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z"), toFake: ["Date"] });
    try {
      cursor = cursorAtEnd(at(transcript));
      vi.setSystemTime(Date.parse("2026-01-01T00:00:20Z"));
      expect(spend()).toEqual(NOTHING);
      write(row({ input: 1_000_000, row: { timestamp: "2026-01-01T00:00:10Z" } }));
      expect(spend()).toEqual({ usd: 2, tokens: 1_000_000, priced: true });
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not charge what a later transcript copies from before", () => {
    cursor = cursorAtEnd(at(transcript));
    write(
      row({ id: "copied", input: 1_000_000, row: { timestamp: EARLIER } }),
      row({ id: "new", input: 500_000 }),
    );
    expect(spend().usd).toBe(1);
  });

  it("starts anew at the end for another session", () => {
    const before = cursorAtEnd(at(join(folder, "session-0.jsonl")));
    write(row({ id: "main", input: 1_000_000 }));
    writeSubagent("agent-a", row({ id: "a1", input: 1_000_000 }));
    const { charge, cursor: next } = readSpend({ transcript: at(transcript), cursor: before, table });
    expect(charge).toEqual(NOTHING);
    expect(next).toMatchObject({ session: "session-1", subagents: cursorAtEnd(at(transcript)).subagents });
  });

  it.each([
    ["a missing file", () => {}],
    ["a folder", () => mkdirSync(transcript)],
    ["an empty file", () => writeFileSync(transcript, "")],
    [
      "subagents that are a file",
      () => mkdirSync(join(folder, "session-1")) ?? writeFileSync(join(folder, "session-1", "subagents"), ""),
    ],
  ])("takes %s for nothing", (_, prepare) => {
    prepare();
    expect(spend()).toEqual(NOTHING);
    expect(spend()).toEqual(NOTHING);
  });
});

describe("a message", () => {
  beforeEach(() => {
    writeFileSync(transcript, "");
    cursor = cursorAtEnd(at(transcript));
  });

  it("counts once, however many rows it has", () => {
    write(
      row({ input: 500_000, output: 5 }),
      row({ input: 500_000, output: 5 }),
      row({ input: 500_000, output: 100_000 }),
    );
    expect(spend()).toEqual({ usd: 2, tokens: 600_000, priced: true });
  });

  it("charges what it grew by since the last look", () => {
    write(row({ input: 500_000, output: 1 }));
    expect(spend()).toEqual({ usd: 1.00001, tokens: 500_001, priced: true });
    write(row({ input: 500_000, output: 100_001 }));
    expect(spend()).toEqual({ usd: 1, tokens: 100_000, priced: true });
    write(row({ input: 400_000, output: 10 }));
    expect(spend()).toEqual(NOTHING);
  });

  it("is charged for reads and both kinds of writes of the cache", () => {
    const usage = {
      cache_read_input_tokens: 1_000_000,
      cache_creation_input_tokens: 3_000_000,
      cache_creation: { ephemeral_5m_input_tokens: 2_000_000, ephemeral_1h_input_tokens: 1_000_000 },
    };
    write(row({ usage }));
    expect(spend()).toEqual({ usd: 0.2 + 5 + 4, tokens: 4_000_000, priced: true });
  });

  it("is charged for searches and for its place", () => {
    write(
      row({ input: 1_000_000, usage: { inference_geo: "us", server_tool_use: { web_search_requests: 3 } } }),
    );
    expect(spend().usd).toBe(2.23);
  });

  it("grows into the long row with all of its tokens", () => {
    const model = "claude-haiku-5-5";
    write(row({ model, input: 100_000 }));
    expect(spend().usd).toBe(0.01);
    write(row({ model, input: 100_001 }));
    expect(spend().usd).toBe(0.0400005);
  });

  it("of an unknown model is charged at the dearest price, and said so", () => {
    write(
      row({ id: "known", input: 1_000_000 }),
      row({ id: "unknown", input: 1_000_000, model: "claude-opus-9" }),
    );
    expect(spend()).toEqual({ usd: 22, tokens: 2_000_000, priced: false });
    write(row({ id: "unknown", input: 1_000_000, model: "claude-opus-9" }));
    expect(spend()).toEqual(NOTHING);
  });

  it("of an advisor is charged at the advisor's price", () => {
    const iterations = [{ type: "advisor_message", model: "claude-opus-5", input_tokens: 1_000_000 }];
    write(row({ input: 1_000_000, usage: { iterations } }), row({ input: 1_000_000, usage: { iterations } }));
    expect(spend()).toEqual({ usd: 7, tokens: 2_000_000, priced: true });
  });
});

describe("lines", () => {
  beforeEach(() => {
    writeFileSync(transcript, "");
    cursor = cursorAtEnd(at(transcript));
  });

  it("waits for the end of a cut line", () => {
    const whole = row({ input: 1_000_000 });
    appendFileSync(transcript, `${row({ id: "first", input: 500_000 })}\n${whole.slice(0, 60)}`);
    expect(spend().usd).toBe(1);
    expect(spend()).toEqual(NOTHING);
    appendFileSync(transcript, whole.slice(60));
    expect(spend()).toEqual(NOTHING);
    appendFileSync(transcript, "\n");
    expect(spend().usd).toBe(2);
    expect(spend()).toEqual(NOTHING);
  });

  it("may end in CRLF", () => {
    appendFileSync(
      transcript,
      `${row({ id: "a", input: 500_000 })}\r\n${row({ id: "b", input: 500_000 })}\r\n`,
    );
    expect(spend().usd).toBe(2);
  });

  it("that are garbage, foreign or empty are passed over", () => {
    appendFileSync(transcript, Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
    write(
      "{",
      "",
      '"usage" "assistant"',
      row({ model: "<synthetic>", input: 9 }),
      row({ input: 1_000_000 }),
      "null",
    );
    write(JSON.stringify({ type: "cost-state", totalCostUSD: 99 }));
    expect(spend()).toEqual({ usd: 2, tokens: 1_000_000, priced: true });
  });

  it("may be longer than what is read at once, with letters on its borders", () => {
    const text = "ä€😀".repeat(50_000);
    write(row({ id: "long", input: 500_000, row: { text } }), row({ id: "next", input: 500_000 }));
    expect(spend().usd).toBe(2);
  });

  it("that are huge are passed over, not kept in memory and not read again", () => {
    appendFileSync(transcript, `{"type":"user","content":"${"x".repeat(9 * 1024 * 1024)}`);
    expect(spend()).toEqual(NOTHING);
    vi.mocked(readSync).mockClear();
    appendFileSync(transcript, `${"y".repeat(1000)}"}\n${row({ input: 1_000_000 })}\n`);
    expect(spend().usd).toBe(2);
    expect(bytesRead()).toBeLessThan(2_000);
  });
});

describe("a transcript", () => {
  it("of 50 MB is read at its tail only", () => {
    writeFileSync(transcript, "");
    const filler = `${JSON.stringify({ type: "user", content: "x".repeat(1024 * 1024) })}\n`;
    for (let index = 0; index < 50; index += 1) appendFileSync(transcript, filler);
    write(row({ id: "old", input: 1_000_000 }));
    cursor = cursorAtEnd(at(transcript));
    expect(bytesRead()).toBeLessThanOrEqual(128 * 1024);
    vi.mocked(readSync).mockClear();
    const added = row({ id: "new", input: 1_000_000 });
    write(added);
    expect(spend().usd).toBe(2);
    expect(bytesRead()).toBe(added.length + 1);
    vi.mocked(readSync).mockClear();
    expect(spend()).toEqual(NOTHING);
    expect(bytesRead()).toBe(0);
  });

  it("is charged the same whether it is read at once or row by row", () => {
    const rows = Array.from({ length: 200 }, (_, index) =>
      row({ id: `msg_${Math.floor(index / 3)}`, input: 1000 + index, output: 100 * (index % 3) }),
    );
    writeFileSync(transcript, "");
    cursor = cursorAtEnd(at(transcript));
    let usd = 0;
    for (const each of rows) {
      write(each);
      usd += spend().usd;
    }
    const again = cursorAtEnd(at(join(folder, "session-2.jsonl")));
    writeFileSync(join(folder, "session-2.jsonl"), `${rows.join("\n")}\n`);
    const { charge } = readSpend({ transcript: at(join(folder, "session-2.jsonl")), cursor: again, table });
    expect(usd).toBeCloseTo(charge.usd, 9);
  });

  it("that was cut short starts again at its end", () => {
    write(row({ id: "a", input: 1_000_000 }), row({ id: "b", input: 1_000_000 }));
    cursor = cursorAtEnd(at(transcript));
    truncateSync(transcript, row({ id: "a", input: 1_000_000 }).length + 1);
    expect(spend()).toEqual(NOTHING);
    write(row({ id: "c", input: 500_000 }));
    expect(spend().usd).toBe(1);
  });

  it("that was replaced starts again at its end, whatever its size", () => {
    writeFileSync(transcript, "");
    cursor = cursorAtEnd(at(transcript));
    write(row({ id: "a", input: 1_000_000 }));
    expect(spend().usd).toBe(2);
    const copy = join(folder, "copy");
    writeFileSync(copy, `${manyRows().join("\n")}\n`);
    renameSync(copy, transcript);
    expect(spend()).toEqual(NOTHING);
    write(row({ id: "new", input: 500_000 }));
    expect(spend().usd).toBe(1);
  });

  it("that is away for a moment goes on where it was", () => {
    write(...manyRows());
    cursor = cursorAtEnd(at(transcript));
    renameSync(transcript, `${transcript}.away`);
    expect(spend()).toEqual(NOTHING);
    renameSync(`${transcript}.away`, transcript);
    write(row({ id: "b", input: 500_000 }));
    expect(spend().usd).toBe(1);
  });
});

describe("subagents", () => {
  beforeEach(() => {
    writeFileSync(transcript, "");
    cursor = cursorAtEnd(at(transcript));
  });

  it("count from the beginning of their files, then by what is new", () => {
    writeSubagent("agent-a", row({ id: "a1", input: 500_000 }));
    writeSubagent("workflows/wf_1/agent-b", row({ id: "b1", input: 500_000 }));
    expect(spend()).toEqual({ usd: 2, tokens: 1_000_000, priced: true });
    writeSubagent("agent-a", row({ id: "a1", input: 500_000 }), row({ id: "a2", input: 500_000 }));
    expect(spend().usd).toBe(1);
    expect(spend()).toEqual(NOTHING);
  });

  it("from before the opening count from where they were", () => {
    writeSubagent("agent-a", row({ id: "a1", input: 500_000 }));
    cursor = cursorAtEnd(at(transcript));
    writeSubagent("agent-a", row({ id: "a2", input: 500_000 }));
    expect(spend().usd).toBe(1);
  });

  it("count once where the session's own file has them too, in this look or a later one", () => {
    write(row({ id: "a1", input: 500_000, row: { isSidechain: true } }));
    writeSubagent("agent-a", row({ id: "a1", input: 500_000, row: { requestId: "another" } }));
    expect(spend().usd).toBe(1);
    writeSubagent("agent-a", row({ id: "a2", input: 500_000 }));
    expect(spend().usd).toBe(1);
    write(row({ id: "a2", input: 500_000, row: { requestId: "another" } }));
    expect(spend()).toEqual(NOTHING);
  });

  it("do not charge again what they were given of the session's history", () => {
    const history = Array.from({ length: 100 }, (_, index) =>
      row({ id: `msg_${index}`, input: 10_000, row: { timestamp: EARLIER } }),
    );
    write(...history);
    expect(spend().usd).toBe(2);
    writeSubagent("agent-fork", ...history, row({ id: "own", input: 500_000 }));
    expect(spend().usd).toBe(1);
  });

  it("ignore other files beside them", () => {
    writeSubagent("journal", row({ input: 1_000_000 }));
    writeFileSync(join(folder, "session-1", "subagents", "agent-a.meta.json"), row({ input: 1_000_000 }));
    mkdirSync(join(folder, "session-1", "subagents", "agent-folder.jsonl"));
    expect(spend()).toEqual(NOTHING);
  });

  it("may be more than a cursor holds: all count, once, and the quiet ones are not read again", () => {
    const names = Array.from({ length: 3 * MOST_SUBAGENTS }, (_, index) => `agent-${index}`);
    for (const [index, name] of names.entries()) {
      const path = writeSubagent(name, row({ id: `first-${name}`, input: 5_000 }));
      const time = 1_700_000_000 + index;
      utimesSync(path, time, time);
    }
    expect(spend().tokens).toBe(5_000 * names.length);
    expect(cursor?.subagents.size).toBe(MOST_SUBAGENTS);
    vi.mocked(readSync).mockClear();
    expect(spend()).toEqual(NOTHING);
    expect(bytesRead()).toBe(0);
  });

  it("that wake up after they left the cursor are charged for what is new", () => {
    const names = Array.from({ length: MOST_SUBAGENTS + 1 }, (_, index) => `agent-${index}`);
    for (const [index, name] of names.entries()) {
      const path = writeSubagent(
        name,
        row({ id: `first-${name}`, input: 5_000, row: { timestamp: EARLIER } }),
      );
      utimesSync(path, 1_700_000_000 + index, 1_700_000_000 + index);
    }
    cursor = cursorAtEnd(at(transcript));
    expect(cursor.subagents.has("agent-0.jsonl")).toBe(false);
    writeSubagent("agent-0", row({ id: "second", input: 500_000 }));
    expect(spend()).toEqual({ usd: 1, tokens: 500_000, priced: true });
    expect(spend()).toEqual(NOTHING);
  });
});
