import { deepStrictEqual, strictEqual } from "node:assert/strict";
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
import { onTestFinished } from "vitest";
import type { CommandOutcome } from "../../src/system/process/run-command.ts";
import { fingerprintOf, tracesOf } from "./traces.ts";

const VISITOR = resolve("dist/test-programs/room-visitor.mjs");
export const USER = 12_345;
export const AS_USER = [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", "--"];

/** A project of an ordinary user, outside the temporary folder of tests, which that user may not enter. */
export class UserWorld {
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

  /** A file system of its own below the project, with a file. */
  mountBelow(name: string): string {
    const folder = join(this.root, name);
    mkdirSync(folder);
    spawnSync("mount", ["-t", "tmpfs", "-o", `uid=${USER}`, "tmpfs", folder]);
    onTestFinished(() => void spawnSync("umount", [folder]));
    this.write(`${name}/a`, `${name}\n`);
    return folder;
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
    strictEqual(isFaithful, true);
    deepStrictEqual(fingerprintOf(this.root), before);
    deepStrictEqual(tracesOf(this.folder), []);
    deepStrictEqual(readdirSync(this.scratch), []);
    return output;
  }
}
