import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createPeer, methodNotFound, RpcError, type Peer } from "./peer.ts";

function peerOf(): { readonly peer: Peer; readonly sent: unknown[]; readonly heard: unknown[] } {
  const sent: unknown[] = [];
  const heard: unknown[] = [];
  const peer = createPeer({
    send: (line) => sent.push(JSON.parse(line)),
    async answer({ method, params }) {
      if (method === "echo") return params;
      if (method === "break") throw new Error("a secret path");
      throw methodNotFound(method);
    },
    hear: (method, params) => heard.push([method, params]),
  });
  return { peer, sent, heard };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a call resolves with its result, whatever the order", async () => {
  const { peer, sent } = peerOf();
  const calls = [peer.call("one", {}), peer.call("two", {})];
  peer.receive('{"jsonrpc":"2.0","id":1,"result":"second"}');
  peer.receive('{"jsonrpc":"2.0","id":0,"result":"first"}');
  expect(await Promise.all(calls)).toEqual(["first", "second"]);
  expect(sent).toMatchObject([
    { jsonrpc: "2.0", id: 0, method: "one" },
    { id: 1, method: "two" },
  ]);
});

test.each([
  [
    { code: 429, message: "slow", data: { a: 1 } },
    { code: 429, message: "slow", data: { a: 1 } },
  ],
  ["odd", { code: -32603, message: "no reason was given" }],
  [
    { code: "x", message: 7 },
    { code: -32603, message: "no reason was given" },
  ],
])("a call fails with the error %j", async (error, expected) => {
  const { peer } = peerOf();
  const call = peer.call("one", {});
  peer.receive(JSON.stringify({ id: 0, error }));
  await expect(call).rejects.toMatchObject(expected);
});

test("open calls fail when the other side is gone", async () => {
  const { peer } = peerOf();
  const call = peer.call("one", {});
  peer.close(new RpcError(0, "gone"));
  await expect(call).rejects.toThrow("gone");
});

test("requests are answered, notifications heard, and a failure of ours says nothing about us", async () => {
  const { peer, sent, heard } = peerOf();
  peer.receive('{"id":"a","method":"echo","params":[1]}');
  peer.receive('{"id":2,"method":"break"}');
  peer.receive('{"id":3,"method":"nowhere"}');
  peer.receive('{"method":"note","params":{"x":1}}');
  await settled();
  expect(sent).toEqual([
    { jsonrpc: "2.0", id: "a", result: [1] },
    { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "Internal error" } },
    { jsonrpc: "2.0", id: 3, error: { code: -32601, message: "There is no method nowhere." } },
  ]);
  expect(heard).toEqual([["note", { x: 1 }]]);
});

test("anything else is refused or skipped, and never throws", async () => {
  const lines = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({ id: fc.anything(), method: fc.anything(), result: fc.anything() }).map((each) => {
      try {
        return JSON.stringify(each);
      } catch {
        return "{";
      }
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(lines), async (all) => {
      const { peer, sent } = peerOf();
      for (const line of all) peer.receive(line);
      await settled();
      expect(sent.length).toBeLessThanOrEqual(all.length);
    }),
  );
});
