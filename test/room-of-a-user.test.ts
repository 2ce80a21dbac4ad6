import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CommandOutcome } from "../src/process/run-command.ts";
import { fingerprintOf, tracesOf } from "./support/traces.ts";

const VISITOR = resolve("dist/test-programs/room-visitor.mjs");
const USER = 12_345;
const AS_USER = [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", "--"];

const whyNot =
  process.getuid?.() !== 0
    ? "only root can be another user"
    : spawnSync("setpriv", [...AS_USER, "unshare", "--user", "--map-root-user", "--mount", "true"]).status !==
        0
      ? "an ordinary user of this machine can't have a namespace"
      : null;

/** A project of an ordinary user, outside the temporary folder of tests, which that user may not enter. */
class UserWorld {
  readonly folder = mkdtempSync("/var/tmp/loopwright-user-");
  readonly root = join(this.folder, "project");
  readonly scratch = join(this.folder, "rooms");

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    chmodSync(this.folder, 0o755);
    copyFileSync(VISITOR, join(this.folder, "visitor.mjs"));
    for (const folder of [this.root, this.scratch]) {
      mkdirSync(folder);
      chownSync(folder, USER, USER);
    }
    this.write("replaced.txt", "now\n");
    this.write("absent.txt", "here\n");
  }

  write(name: string, content: string, { owner = USER, mode = 0o644 } = {}): void {
    writeFileSync(join(this.root, name), content);
    chownSync(join(this.root, name), owner, owner);
    chmodSync(join(this.root, name), mode);
  }

  visit(
    where: "inside" | "outside",
    line: string,
    user = AS_USER,
  ): CommandOutcome & { isFaithful?: boolean } {
    const program = [
      process.execPath,
      join(this.folder, "visitor.mjs"),
      where,
      this.root,
      this.scratch,
      line,
    ];
    const { stdout, stderr } = spawnSync("setpriv", [...user, ...program], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: this.folder },
    });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as CommandOutcome;
  }

  /** In a room, which must leave no trace. */
  say(line: string, user = AS_USER): string {
    const before = fingerprintOf(this.root);
    const { output, isFaithful } = this.visit("inside", line, user);
    expect(isFaithful).toBe(true);
    expect(fingerprintOf(this.root)).toEqual(before);
    expect(tracesOf(this.folder)).toEqual([]);
    expect(readdirSync(this.scratch)).toEqual([]);
    return output;
  }
}

describe.skipIf(whyNot !== null)(
  `an ordinary user's room${whyNot === null ? "" : `, skipped: ${whyNot}`}`,
  () => {
    it("throws changes away and shows replaced files", () => {
      const world = new UserWorld();
      const line =
        "cat replaced.txt; ls; mkdir -m 0 closed; rm replaced.txt; mkdir replaced.txt; touch replaced.txt/x; pwd";
      expect(world.say(line)).toBe(`old\nreplaced.txt\n${world.root}\n`);
    });

    it("is the same user's, with the same rights", () => {
      const world = new UserWorld();
      world.write("secret.txt", "secret\n", { mode: 0 });
      const line = "id -u; id -g; cat secret.txt; grep CapEff /proc/self/status; stat -c %u replaced.txt .";
      expect(world.say(line)).toBe(world.visit("outside", line).output);
    });

    it("can't undo its own mounts", () => {
      const world = new UserWorld();
      expect(world.say('umount -l "$PWD" 2>/dev/null || echo held; cat replaced.txt')).toBe("held\nold\n");
    });

    it("reads and removes another user's files where it may outside", () => {
      const world = new UserWorld();
      world.write("roots.txt", "root's\n", { owner: 0 });
      const line = "cat roots.txt; echo x 2>/dev/null >>roots.txt || echo refused; rm -f roots.txt; ls";
      expect(world.say(line)).toBe("root's\nrefused\nreplaced.txt\n");
    });

    it("keeps a project another user's when root visits it", () => {
      const world = new UserWorld();
      const line = "stat -c '%n %u' replaced.txt .; echo x >>replaced.txt; stat -c %u replaced.txt";
      expect(world.say(line, ["--"])).toBe(`replaced.txt ${USER}\n. ${USER}\n${USER}\n`);
    });
  },
);
