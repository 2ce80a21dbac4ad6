import { spawnSync } from "node:child_process";
import { createServer, connect, type Server, type Socket } from "node:net";

/** What leads from one machine to the server of the tests, and can be cut. */
export interface Way {
  /** Where the machine reaches the server. */
  readonly host: string;
  readonly port: number;
  /** What stands before a command that is to run on that machine. */
  readonly entry: readonly string[];
  /** Nothing gets through, and nobody is told. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly end: () => Promise<void>;
}

let ways = 0;

/** A network of a machine's own, where this user may make one; otherwise the loopback, where only the way to the server can be cut. */
export async function openWay(socketPath: string): Promise<Way> {
  ways += 1;
  const wire = makeWire(ways);
  const relay = new Relay(socketPath);
  const host = wire?.host ?? "127.0.0.1";
  const port = await relay.listen(host);
  return {
    host,
    port,
    entry: wire?.entry ?? [],
    cut: () => {
      wire?.set("down");
      relay.hold();
    },
    mend: () => {
      wire?.set("up");
      relay.pass();
    },
    end: async () => {
      await relay.end();
      wire?.remove();
    },
  };
}

interface Wire {
  readonly host: string;
  readonly entry: readonly string[];
  readonly set: (state: "up" | "down") => void;
  readonly remove: () => void;
}

function ip(...args: readonly string[]): boolean {
  return spawnSync("ip", args, { stdio: "ignore" }).status === 0;
}

/** A pair of network devices, one end of it in a namespace. */
function makeWire(number: number): Wire | null {
  const space = `loop-${process.pid}-${number}`;
  if (!ip("netns", "add", space)) return null;
  const device = `lw${process.pid}.${number}`;
  // Of those kept for measurements, which nobody routes.
  const net = (process.pid * 16 + number) % 16_384;
  const at = (last: number): string =>
    `198.${18 + (net >> 13)}.${(net >> 5) & 255}.${((net & 31) << 3) + last}`;
  const inSpace = (...args: readonly string[]): boolean => ip("-n", space, ...args);
  const remove = (): void => {
    ip("link", "del", device);
    ip("netns", "del", space);
  };
  const isMade =
    ip("link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", space) &&
    ip("addr", "add", `${at(1)}/29`, "dev", device) &&
    ip("link", "set", device, "up") &&
    inSpace("addr", "add", `${at(2)}/29`, "dev", "eth0") &&
    inSpace("link", "set", "lo", "up") &&
    inSpace("link", "set", "eth0", "up");
  if (!isMade) {
    remove();
    return null;
  }
  return {
    host: at(1),
    entry: ["nsenter", `--net=/run/netns/${space}`],
    set: (state) => void ip("link", "set", device, state),
    remove,
  };
}

/** Passes on what is said to the server and back, or holds it without a word. */
class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  #isHeld = false;

  constructor(socketPath: string) {
    this.#server = createServer({ pauseOnConnect: true }, (near) => {
      const begin = (): void => this.#join(near, connect(socketPath));
      this.#keep(near);
      if (this.#isHeld) this.#waiting.add(begin);
      else begin();
    });
  }

  async listen(host: string): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  pass(): void {
    this.#isHeld = false;
    for (const begin of this.#waiting) begin();
    this.#waiting.clear();
    for (const socket of this.#sockets) socket.resume();
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  #join(near: Socket, far: Socket): void {
    this.#keep(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (bytes) => void to.write(bytes));
      from.on("end", () => to.end());
      from.on("close", () => to.destroy());
      if (!this.#isHeld) from.resume();
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
  }
}
