import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { file, RoomWorld, whyNoOverlay } from "../../../test/support/room-world.ts";
import { awakeSleepers, processesWith, sleepers, uniqueSeconds } from "../../../test/support/sleepers.ts";
import { findRoom, openRoom } from "./room.ts";
import { fingerprintOf, tracesOf } from "../../../test/support/traces.ts";

const why = await whyNoOverlay();
const isRoot = process.getuid?.() === 0;
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const readMtime = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null;
const hasMake = spawnSync("make", ["--version"]).status === 0;

describe.skipIf(why !== null)(`a room under an overlay${why === null ? "" : `, skipped: ${why}`}`, () => {
  it("throws writes, deletions, renames and changed rights away", async () => {
    const world = new RoomWorld({ "a.txt": "a", "b/c.txt": "c", "d/e/f.txt": "f", "g.txt": "g" });
    const line =
      "echo x >a.txt; echo y >>b/c.txt; rm -r d; mkdir d; mv g.txt h.txt; mv b z; chmod 700 .; find . -type f | sort; cat a.txt z/c.txt";
    expect(await world.say(line)).toBe("./a.txt\n./h.txt\n./z/c.txt\nx\ncy\n");
  });

  it("is tried out once for worktrees beside each other, and again for a folder that is another kind of place", async () => {
    const world = new RoomWorld();
    const triedBy = async (name: string, mode: number): Promise<boolean> => {
      const root = join(world.folder, "beside", name);
      mkdirSync(root, { recursive: true });
      chmodSync(root, mode);
      const before = readMtime(world.scratch);
      expect(await findRoom(root, world.scratch)).toMatchObject({ type: "overlay" });
      return readMtime(world.scratch) !== before;
    };
    expect(await triedBy("one", 0o755)).toBe(true);
    expect(await triedBy("other", 0o755)).toBe(false);
    expect(await triedBy("closed", 0o700)).toBe(true);
  });

  it.skipIf(!isRoot)("lets root rename a folder of the project in one step", async () => {
    const world = new RoomWorld({ "a/b.txt": "b" });
    const line = `${process.execPath} -e 'fs.renameSync("a", "c")' && ls c`;
    expect(await world.say(line)).toBe("b.txt\n");
  });

  it("shows replaced files, new ones and absent ones at the project's own path", async () => {
    const world = new RoomWorld({
      "old.txt": "now",
      "gone/only.txt": "here",
      "gone too/x": "",
      "gone too/y": "",
    });
    const replacements = [
      file("old.txt", "then"),
      file("new/deep/tool", "#!/bin/sh\necho tool", "100755"),
      file("link", "old.txt", "120000"),
      file("gone/only.txt", null),
      file("gone too/x", null),
      file("never/was", null),
    ];
    const said = await world.say("pwd; find . | sort; cat old.txt; new/deep/tool; cat link", replacements);
    expect(said).toBe(
      `${world.root}\n.\n./gone too\n./gone too/y\n./link\n./new\n./new/deep\n./new/deep/tool\n./old.txt\nthentool\nthen`,
    );
  });

  it("replaces a folder that has become a link, and never writes through it", async () => {
    const world = new RoomWorld({});
    const outside = join(world.folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "kept.txt"), "kept");
    symlinkSync(outside, join(world.root, "linked"));
    symlinkSync(outside, join(world.root, "other"));
    const before = fingerprintOf(outside);
    const replacements = [file("linked/kept.txt", "replaced"), file("other/kept.txt", null)];
    expect(await world.say("cat linked/kept.txt; ls other", replacements)).toBe("replacedkept.txt\n");
    expect(fingerprintOf(outside)).toEqual(before);
  });

  it.each(["../x", "/etc/x", "a//b", "a/./b", "", "a/../../x"])("refuses the path %j", async (path) => {
    const world = new RoomWorld();
    await expect(world.open([file(path, "x")])).rejects.toThrow("is not the path of a file");
    world.assertNoTrace();
  });

  it("lets one command see what an earlier one left, and forgets it at the end", async () => {
    const world = new RoomWorld();
    const room = await world.open();
    await room.run(world.command("echo built >artifact"));
    expect((await room.run(world.command("cat artifact"))).output).toBe("built\n");
    await room.close();
    expect(await world.say("ls")).toBe("");
  });

  it("shows what others change outside meanwhile", async () => {
    const world = new RoomWorld({ "a.txt": "before" });
    const room = await world.open();
    world.write({ "a.txt": "after" });
    expect((await room.run(world.command("cat a.txt"))).output).toBe("after");
    await room.close();
  });

  it.each([
    "with blank",
    "com,ma",
    "co:lon",
    "back\\slash",
    "line\nend",
    `quo"te'`,
    "ünï",
    "$HOME `x`",
    "-dash",
    "trailing ",
    "\\040",
  ])("works in a project named %j", async (name) => {
    const world = new RoomWorld({ "a.txt": "now" }, name);
    expect(await world.say("cat a.txt b; echo >c; pwd", [file("b", "new")])).toBe(`nownew${world.root}\n`);
  });

  it("is entered through a link to the project as well", async () => {
    const world = new RoomWorld({ "a.txt": "now" });
    const link = join(world.folder, "link");
    symlinkSync(world.root, link);
    const room = await world.open([file("a.txt", "then")]);
    expect((await room.run(world.command("echo x >b; cat a.txt", { cwd: link }))).output).toBe("then");
    await room.close();
    world.assertNoTrace();
  });

  it("does not reach a server outside through a socket in the project", async () => {
    const world = new RoomWorld();
    const server = createServer().listen(join(world.root, "server.sock"));
    onTestFinished(() => void server.close());
    spawnSync("mkfifo", [join(world.root, "pipe")]);
    const line = `${process.execPath} -e 'net.connect("server.sock").on("error", (e) => console.log(e.code))'; test -p pipe && echo pipe`;
    expect(await world.say(line)).toBe("ECONNREFUSED\npipe\n");
  });

  describe("how commands end in it", () => {
    it.each([
      ["exit 3", { type: "exited", code: 3 }],
      ["kill -KILL $$", { type: "signalled", signal: "SIGKILL" }],
      ["kill -TERM $$", { type: "signalled", signal: "SIGTERM" }],
      ["no-such-program-at-all", { type: "exited", code: 127 }],
    ])("is told: %s", async (line, ending) => {
      const world = new RoomWorld();
      const room = await world.open();
      expect((await room.run(world.command(line))).ending).toEqual(ending);
      await room.close();
    });

    it("passes an argv on without a shell, and withholds secrets", async () => {
      const world = new RoomWorld();
      const room = await world.open();
      const env = { PATH: process.env["PATH"], MY_TOKEN: "secret-value", KEPT: "kept" };
      const argv = ["/bin/sh", "-c", 'echo "$1" "$MY_TOKEN" "$KEPT"', "sh", "$HOME  'x'"] as const;
      const outcome = await room.run(world.command("", { command: { kind: "argv", argv: [...argv] }, env }));
      expect(outcome).toMatchObject({ output: "$HOME  'x'  kept\n", withheld: ["MY_TOKEN"] });
      await room.close();
    });

    it("ends everything at the time limit", async () => {
      const world = new RoomWorld();
      const seconds = uniqueSeconds();
      const room = await world.open();
      const line = `setsid sleep ${seconds} & sleep ${seconds}`;
      const { ending } = await room.run(world.command(line, { timeoutMs: 700 }));
      expect(ending).toEqual({ type: "timed-out", limitMs: 700 });
      expect(sleepers(seconds)).toEqual([]);
      await room.close();
    });

    it("leaves no server behind that was started inside, whatever it took to hide it", async () => {
      const world = new RoomWorld();
      const seconds = uniqueSeconds();
      await world.say(`setsid sh -c 'env -i setsid sleep ${seconds} >/dev/null 2>&1 & ' & sleep 0.2; true`);
      expect(sleepers(seconds)).toEqual([]);
    });

    it("keeps no zombies of orphans, as any machine's first process does", async () => {
      const world = new RoomWorld();
      const line = "(sh -c 'exit 0' & sh -c 'sleep 0.1' &) ; sleep 0.4; ps -A -o stat= | grep -c Z; true";
      expect(await world.say(line)).toBe("0\n");
    });

    it("says that it is the room which failed when somebody ended it", async () => {
      const world = new RoomWorld();
      const room = await world.open();
      const seconds = uniqueSeconds();
      const run = room.run(world.command(`sleep ${seconds}`));
      await awakeSleepers(seconds, 1);
      const [holder = 0] = processesWith(`\0${world.root}\0`);
      process.kill(holder, "SIGKILL");
      await expect(run).rejects.toThrow("the clean room was ended");
      await room.close();
      expect(sleepers(seconds)).toEqual([]);
      world.assertNoTrace();
    });

    it("stops opening, and leaves nothing, when it is not wanted any more", async () => {
      const world = new RoomWorld();
      await expect(world.open([], AbortSignal.abort())).rejects.toThrow("aborted");
      world.assertNoTrace();
    });
  });

  describe("who compares times", () => {
    it.skipIf(!hasMake)("make builds from a replaced source", async () => {
      const world = new RoomWorld({ Makefile: "out: in\n\tcp in out\n", in: "now", out: "now" });
      const old = new Date(Date.now() - 60_000);
      utimesSync(join(world.root, "in"), old, old);
      expect(await world.say("make -s out; cat out", [file("in", "old")])).toBe("old");
    });

    it.skipIf(!hasPython)("Python runs a replaced source, and no compiled one without a source", async () => {
      const world = new RoomWorld({
        "m.py": "print('now')",
        "p/__init__.py": "",
        "p/n.py": "",
        "q/r.py": "",
      });
      spawnSync("python3", ["-c", "import m, p.n, q.r"], { cwd: world.root });
      spawnSync("sh", ["-c", "cp p/__pycache__/n.*.pyc p/n.pyc"], { cwd: world.root });
      const said = await world.say(
        "ls __pycache__; python3 -c 'import m'; for m in p.n q; do python3 -c import\\ $m 2>&1 | tail -1; done",
        [file("m.py", "print('old')"), file("p/n.py", null), file("q/r.py", null)],
      );
      expect(said).toMatch(/^ls: .*\nold\nModuleNotFoundError: .* 'p.n'\nModuleNotFoundError: .* 'q'\n$/);
    });
  });

  describe("git", () => {
    function repository(): RoomWorld {
      const world = new RoomWorld({ "a.txt": "a", ".gitignore": "ignored\n", ignored: "i" });
      world.git("init", "-q", "-b", "main");
      world.git("add", "-A");
      world.git("commit", "-qm", "first");
      return world;
    }
    const COMMIT =
      "echo b >b.txt && git add -A && git commit -qm inside && git branch other && git gc -q && git log --format=%s";

    it("commits inside, and no ref moves outside", async () => {
      expect(await repository().say(COMMIT)).toBe("inside\nfirst\n");
    });

    it("commits inside a linked worktree, and no ref moves outside", async () => {
      const main = repository();
      const before = fingerprintOf(main.root);
      const world = new RoomWorld();
      rmSync(world.root, { recursive: true });
      main.git("worktree", "add", "-q", world.root, "-b", "topic");
      const after = fingerprintOf(main.root);
      expect(after).not.toEqual(before);
      expect(await world.say(COMMIT)).toBe("inside\nfirst\n");
      expect(fingerprintOf(main.root)).toEqual(after);
    });

    it("commits inside a worktree that lies in its own git folder", async () => {
      const main = repository();
      const world = new RoomWorld();
      const root = join(main.root, ".git", "tree");
      main.git("worktree", "add", "-q", root, "-b", "topic");
      const before = fingerprintOf(main.root);
      const room = await Object.assign(Object.create(world) as RoomWorld, { root }).open([
        file("a.txt", "old"),
      ]);
      expect((await room.run(world.command(`cat a.txt; ${COMMIT}`, { cwd: root }))).output).toBe(
        "oldinside\nfirst\n",
      );
      await room.close();
      expect(fingerprintOf(main.root)).toEqual(before);
    });

    it("commits inside where .git is a link to a folder elsewhere", async () => {
      const world = repository();
      const elsewhere = join(world.folder, "elsewhere.git");
      renameSync(join(world.root, ".git"), elsewhere);
      symlinkSync(elsewhere, join(world.root, ".git"));
      const before = fingerprintOf(elsewhere);
      expect(await world.say(COMMIT)).toBe("inside\nfirst\n");
      expect(fingerprintOf(elsewhere)).toEqual(before);
    });
  });

  it.skipIf(!isRoot)(
    "throws away what is written to what is mounted below the project (needs root)",
    async () => {
      const world = new RoomWorld({ "modules/hidden": "", "a.txt": "a" });
      const modules = join(world.root, "modules");
      expect(spawnSync("mount", ["-t", "tmpfs", "tmpfs", modules]).status).toBe(0);
      onTestFinished(() => void spawnSync("umount", [modules]));
      writeFileSync(join(modules, "m.txt"), "m");
      const before = fingerprintOf(world.root);
      const room = await world.open([file("modules/n.txt", "n")]);
      const { output } = await room.run(world.command("rm modules/m.txt; echo x >modules/x; ls modules"));
      await room.close();
      expect(output).toBe("n.txt\nx\n");
      expect(fingerprintOf(world.root)).toEqual(before);
    },
  );

  it.skipIf(!isRoot)(
    "is a copy where overlays lie on overlays already, and an overlay on a single one",
    async () => {
      const world = new RoomWorld({ "a.txt": "a" });
      const layers = join(world.folder, "layers");
      const kinds = [];
      for (const depth of [1, 2]) {
        const [upper, work] = ["upper", "work"].map((name) => join(layers, String(depth), name));
        for (const each of [upper, work]) mkdirSync(each ?? "", { recursive: true });
        const options = `lowerdir=${world.root},upperdir=${upper},workdir=${work}`;
        expect(spawnSync("mount", ["-t", "overlay", "overlay", "-o", options, world.root]).status).toBe(0);
        onTestFinished(() => void spawnSync("umount", [world.root]));
        const scratch = join(world.folder, `rooms-${depth}`);
        const room = await openRoom({ root: world.root, scratch, replacements: [file("b.txt", "b")] });
        kinds.push(room.isFaithful);
        expect((await room.run(world.command("cat a.txt b.txt; echo x >a.txt"))).output).toBe("ab");
        await room.close();
      }
      expect(kinds).toEqual([true, false]);
      const refused = { root: world.root, scratch: join(world.folder, "rooms-2"), replacements: [] };
      await expect(openRoom({ ...refused, copy: "none" })).rejects.toThrow("no faithful clean room");
    },
  );

  it.skipIf(!isRoot)("says that the disk is full, and leaves nothing (needs root)", async () => {
    const world = new RoomWorld();
    mkdirSync(world.scratch);
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", world.scratch]).status).toBe(0);
    onTestFinished(() => void spawnSync("umount", [world.scratch]));
    const before = fingerprintOf(world.root);
    const large = { ...file("large", ""), content: Buffer.alloc(8 * 1024 * 1024) };
    await expect(world.open([large])).rejects.toThrow("no space left");
    const room = await world.open();
    const filling = room.run(world.command("head -c 8000000 /dev/zero >large"));
    await expect(filling).rejects.toThrow("no space left");
    await room.close();
    expect(spawnSync("ls", [world.scratch], { encoding: "utf8" }).stdout).toBe("");
    expect(fingerprintOf(world.root)).toEqual(before);
    expect(tracesOf(world.root)).toEqual([]);
  });

  it("refuses a scratch folder inside the project", async () => {
    const world = new RoomWorld();
    const inside = Object.assign(Object.create(world) as RoomWorld, { scratch: join(world.root, "rooms") });
    await expect(inside.open()).rejects.toThrow("inside the project");
  });
});
