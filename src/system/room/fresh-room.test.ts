import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { RoomWorld, whyNoOverlay } from "../../../test/support/room-world.ts";
import { newListeners } from "../process/process-facts.ts";
import { newerInHome, type FreshPlace } from "./fresh-room.ts";
import { openRoom } from "./room.ts";

const why = await whyNoOverlay();

async function said(world: RoomWorld, fresh: FreshPlace, line: string, env = process.env): Promise<string> {
  const { root, scratch } = world;
  const room = await openRoom({ root, scratch, replacements: [], fresh });
  try {
    return (await room.run(world.command(line, { env }))).output;
  } finally {
    await room.close();
  }
}

function homeIn(world: RoomWorld): string {
  const home = join(world.folder, "home");
  for (const folder of [".tools/bin", ".config/go", "projects"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, ".tools/bin/tool"), "echo tool\n", { mode: 0o755 });
  writeFileSync(join(home, ".config/go/telemetry"), "off\n");
  return home;
}

describe.skipIf(why !== null)(`a fresh place${why === null ? "" : `, skipped: ${why}`}`, () => {
  it("has the home folder as it was, with its tools, and a temporary folder of its own", async () => {
    const world = new RoomWorld();
    const home = homeIn(world);
    await sleep(20);
    const since = Date.now();
    await sleep(20);
    writeFileSync(join(home, ".config/go/env"), "GOFLAGS=-run=None\n");
    const without = await newerInHome(home, since, []);
    expect(without).toEqual([".config/go/env"]);
    const line = `"$HOME/.tools/bin/tool"; ls "$HOME/.config/go" "$XDG_CONFIG_HOME/go"; echo 1 > "$HOME/.config/go/new"; echo 1 > "$TMPDIR/x"; ls "$TMPDIR"`;
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, ".config") };
    const output = await said(world, { home: { from: home, without }, isOffline: false }, line, env);
    expect(output.replaceAll(/.*\/\.config\/go:\n/g, "").replaceAll("\n\n", "\n")).toBe(
      "tool\ntelemetry\ntelemetry\nx\n",
    );
    expect(readdirSync(join(home, ".config/go")).toSorted()).toEqual(["env", "telemetry"]);
    expect(readdirSync(world.scratch)).toEqual([]);
    expect(["/media/x", "/srv/x", "/mnt/x"].filter((path) => existsSync(path))).toEqual([]);
  });

  it("cannot reach what listens outside, and has a loopback for what listens inside", async () => {
    const world = new RoomWorld();
    // The room's process may end, and reset the connection, before it has read the answer.
    const answer = (socket: Socket): void => void socket.on("error", () => undefined).end("outside");
    const server = createServer(answer).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const reach = `const net = require("node:net");
const ask = (port) => new Promise((done) => net.connect(port, "127.0.0.1", () => done("reached")).on("error", ({ code }) => done(code)));
const own = net.createServer().listen(0, "127.0.0.1", async () => { console.log(await ask(${port}), await ask(own.address().port)); process.exit(); });`;
    world.write({ "reach.cjs": reach });
    const line = `"${process.execPath}" reach.cjs`;
    expect(await said(world, { home: null, isOffline: true }, line)).toBe("ECONNREFUSED reached\n");
    expect(await said(world, { home: null, isOffline: false }, line)).toBe("reached reached\n");
  });
});

describe.skipIf(process.platform !== "linux")("a server that was left running", () => {
  it("is found by its folder and its start", async () => {
    const world = new RoomWorld();
    const since = Date.now() - 1_000;
    const code = `require("node:net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port); })`;
    const child = spawn(process.execPath, ["-e", code], { cwd: world.root });
    onTestFinished(() => void child.kill("SIGKILL"));
    const port = Number(await new Promise((resolve) => child.stdout.once("data", resolve)));
    expect(newListeners(world.root, since).map((each) => each.port)).toEqual([port]);
    expect(newListeners(join(world.folder, "other"), since)).toEqual([]);
    expect(newListeners(world.root, Date.now() + 60_000)).toEqual([]);
  });
});
