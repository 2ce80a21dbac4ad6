import { deepStrictEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandOptions } from "../../src/system/process/run-command.ts";
import { findRoom, openRoom } from "../../src/system/room/room.ts";
import type { Replacement } from "../../src/system/room/replace-files.ts";
import type { Room } from "../../src/system/room/room.ts";
import { fingerprintOf, tracesOf } from "./traces.ts";

/** Why this machine can't mount an overlay; null when it can. */
export async function whyNoOverlay(): Promise<string | null> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-room-")));
  mkdirSync(join(folder, "project"));
  const kind = await findRoom(join(folder, "project"), join(folder, "rooms"));
  rmSync(folder, { recursive: true, force: true });
  return kind.type === "overlay" ? null : kind.why;
}

/** A project and a folder for its rooms. */
export class RoomWorld {
  readonly folder: string;
  readonly root: string;
  readonly scratch: string;

  constructor(files: { readonly [path: string]: string } = {}, name = "project") {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-room-")));
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    this.root = join(this.folder, name);
    this.scratch = join(this.folder, "rooms");
    mkdirSync(this.root, { recursive: true });
    this.write(files);
  }

  write(files: { readonly [path: string]: string }): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), content);
    }
  }

  command(line: string, options: Partial<CommandOptions> = {}): CommandOptions {
    const command = { kind: "shell", line } as const;
    return { command, cwd: this.root, timeoutMs: 50_000, env: process.env, passEnv: [], ...options };
  }

  open(replacements: readonly Replacement[] = [], signal?: AbortSignal): Promise<Room> {
    const { root, scratch } = this;
    return openRoom({ root, scratch, replacements, ...(signal === undefined ? {} : { signal }) });
  }

  /** What a line says in a room of its own, which must leave no trace of it. */
  async say(line: string, replacements: readonly Replacement[] = []): Promise<string> {
    const before = fingerprintOf(this.root);
    const room = await this.open(replacements);
    const { output } = await room.run(this.command(line));
    await room.close();
    deepStrictEqual(fingerprintOf(this.root), before);
    this.assertNoTrace();
    return output;
  }

  assertNoTrace(): void {
    deepStrictEqual(tracesOf(this.folder), []);
    deepStrictEqual(existsSync(this.scratch) ? readdirSync(this.scratch) : [], []);
  }

  git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: this.root, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  }
}

export function file(
  path: string,
  content: string | null,
  mode: Replacement["mode"] = "100644",
): Replacement {
  return { path, content: content === null ? null : Buffer.from(content), mode };
}
