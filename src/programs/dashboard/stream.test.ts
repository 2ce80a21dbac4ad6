import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { BoardRow } from "../../views/board.ts";
import { Newsroom, Stream } from "./stream.ts";

/** A newsroom over these rows, by key. */
function over(rows: Map<string, string>): {
  readonly newsroom: Newsroom;
  readonly say: (key: string, said: string) => void;
  readonly drop: (key: string) => void;
  readonly heardFrom: (from: string) => readonly [string, unknown][];
} {
  const newsroom = new Newsroom();
  const now = (): readonly BoardRow[] =>
    [...rows].map(([key, said]) => ({ key, said }) as unknown as BoardRow);
  return {
    newsroom,
    say: (key, said) => {
      rows.set(key, said);
      newsroom.changed(now().filter((row) => row.key === key));
    },
    drop: (key) => {
      rows.delete(key);
      newsroom.gone([key]);
    },
    heardFrom: (from) => {
      const heard: [string, unknown][] = [];
      const send = (event: string, _id: string, data: string): void =>
        void heard.push([event, JSON.parse(data)]);
      newsroom.admit({ send } as unknown as Stream, from, { rows: now, everything: () => "null" });
      return heard;
    },
  };
}

test("a reader that was away gets what changed meanwhile, once and as it is now, however much that was", () => {
  const { newsroom, say, drop, heardFrom } = over(new Map([["shop/quiet", "as ever"]]));
  say("shop/a", "first");
  say("shop/b", "first");
  for (let n = 1; n <= 10_000; n += 1) say("shop/a", "x".repeat(1_000) + n);
  expect(heardFrom(`${newsroom.epoch}.2`)).toEqual([
    ["rows", [{ key: "shop/a", said: `${"x".repeat(1_000)}10000` }]],
  ]);
  expect(heardFrom(`${newsroom.epoch}.10002`)).toEqual([]);
  drop("shop/b");
  expect(heardFrom(`${newsroom.epoch}.10002`)).toEqual([["gone", ["shop/b"]]]);
  say("shop/b", "back again");
  expect(heardFrom(`${newsroom.epoch}.10002`)).toEqual([["rows", [{ key: "shop/b", said: "back again" }]]]);
});

test("who comes from another server, or with a number from nowhere, gets everything", () => {
  const { newsroom, say, heardFrom } = over(new Map());
  say("shop/a", "first");
  for (const from of ["", "cafecafe.1", `${newsroom.epoch}.2`, `${newsroom.epoch}.x`, `${newsroom.epoch}.-1`])
    expect(heardFrom(from)).toEqual([["reset", null]]);
  expect(heardFrom(`${newsroom.epoch}.1`)).toEqual([]);
});

test("loops whose folders were deleted are forgotten in the end, and then who was away gets everything", () => {
  const { newsroom, say, drop, heardFrom } = over(new Map());
  say("shop/a", "first");
  for (let n = 0; n < 10_001; n += 1) drop(`shop/${n}`);
  expect(heardFrom(`${newsroom.epoch}.1`)).toEqual([["reset", null]]);
  expect(heardFrom(`${newsroom.epoch}.10002`)).toEqual([]);
});

/** A stream over a real connection, with its reader's end. */
async function connected(): Promise<{ readonly stream: Stream; readonly reader: IncomingMessage }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const opened = new Promise<Stream>((resolve) => {
    server.on("request", (_, response) => resolve(new Stream(response, () => undefined)));
  });
  const request = get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  const [reader] = (await once(request, "response")) as [IncomingMessage];
  return { stream: await opened, reader };
}

const MEGABYTE = "x".repeat(1024 * 1024);

test("all rows of thousands of loops arrive, although they are longer than a reader may be behind", async () => {
  const { stream, reader } = await connected();
  stream.send("reset", "e.1", MEGABYTE.repeat(20));
  const heard = text(reader);
  stream.end();
  expect((await heard).length).toBeGreaterThan(20 * MEGABYTE.length);
});

test("a reader that doesn't read is dropped", async () => {
  const { stream, reader } = await connected();
  const cut = once(reader, "error");
  for (let n = 0; n < 20; n += 1) stream.send("rows", `e.${n}`, MEGABYTE);
  reader.resume();
  await cut;
  expect(stream.isOver).toBe(true);
});
