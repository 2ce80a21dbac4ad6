import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitObject, writeLooseObjects } from "./git-objects.ts";
import { takeCheckpoint } from "./take.ts";
import { readTree } from "../../system/tree/tree-digest.ts";
import { effort } from "../../../test/support/effort.ts";

let folder: string;
let root: string;
let objects: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-loose-"));
  root = join(folder, "project");
  objects = join(root, ".git/objects");
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** What git says of objects that are not whole, or not where they should be; that nothing leads to one is no fault. */
function faults(): string {
  return git(["fsck", "--strict", "--full", "--no-dangling", "--no-progress"]);
}

function filesBelow(path: string): readonly string[] {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => statSync(join(path, name)).isFile());
}

const name = fc.oneof(
  fc.constantFrom("a", "a.b", "a-b", "a0", "b", "a b", "été", "line\n", "-", "*", '"', "tab\t"),
  fc.stringMatching(/^[a-c][\x21-\x2e\x30-\x7e]{0,6}$/),
);
const file = fc.record({
  names: fc.array(name, { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom("plain", "executable", "link"),
  content: fc.uint8Array({ minLength: 1, maxLength: 400 }),
});

/** Later ones give way: a name cannot be a file and a folder. */
function put({ names, kind, content }: typeof file extends fc.Arbitrary<infer T> ? T : never): void {
  const path = join(root, ...names);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (kind === "link") symlinkSync(Buffer.from(content).toString("hex").slice(0, 90), path);
    else writeFileSync(path, content, { mode: kind === "executable" ? 0o755 : 0o644 });
  } catch {}
}

describe.each(["sha1", "sha256"] as const)("objects of %s that are written without git", (hash) => {
  beforeEach(() => git(["init", "-q", `--object-format=${hash}`]));

  it("are for any files those that git would have written", async () => {
    let number = 0;
    const take = async (): Promise<string> => {
      const place = { root, stateHome: join(folder, "state") };
      const ref = `refs/loopwright/x/${(number += 1)}`;
      const { commit } = await takeCheckpoint({
        ...place,
        ref,
        message: "x",
        reading: await readTree(place),
      });
      return commit ?? "none";
    };
    put({ names: ["a"], kind: "plain", content: Uint8Array.of(1) });
    await take();
    const run = fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 12 }), async (files) => {
      for (const each of files) put(each);
      const commit = await take();
      expect(faults()).toBe("");
      const index = { GIT_INDEX_FILE: join(folder, "index") };
      git(["-c", "core.autocrlf=false", "add", "-A"], index);
      expect(git(["rev-parse", `${commit}^{tree}`])).toBe(git(["write-tree"], index));
    });
    await fc.assert(run, { numRuns: effort(3, 8, 8) });
    git(["gc", "-q", "--prune=now"]);
    expect(faults()).toBe("");
    expect(git(["for-each-ref", "--format=%(objecttype)", "refs/loopwright/x"])).toContain("commit");
  });

  it("are files that nobody writes to, and nothing else is left", async () => {
    const blobs = ["", "one", "x".repeat(100_000)].map((text) => gitObject(hash, "blob", Buffer.from(text)));
    await writeLooseObjects(objects, [...blobs, ...blobs]);
    expect(filesBelow(objects)).toHaveLength(3);
    for (const { id, content } of blobs) {
      const path = join(objects, id.slice(0, 2), id.slice(2));
      expect(statSync(path).mode & 0o777).toBe(0o444 & ~process.umask());
      expect(git(["cat-file", "blob", id])).toBe(content.toString());
    }
    expect(faults()).toBe("");
  });

  it("are left as they are when they are there, and count as new", async () => {
    const blob = gitObject(hash, "blob", Buffer.from("one"));
    await writeLooseObjects(objects, [blob]);
    const path = join(objects, blob.id.slice(0, 2), blob.id.slice(2));
    const { ino } = statSync(path);
    utimesSync(path, 1000, 1000);
    await writeLooseObjects(objects, [blob]);
    expect(statSync(path).ino).toBe(ino);
    expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });
});

it("a writer of objects leaves no draft behind when one of the objects cannot be written", async () => {
  git(["init", "-q"]);
  const [first, second] = ["one", "two"].map((text) => gitObject("sha1", "blob", Buffer.from(text)));
  if (first === undefined || second === undefined) throw new Error("no objects");
  writeFileSync(join(objects, second.id.slice(0, 2)), "in the way");
  await expect(writeLooseObjects(objects, [first, second])).rejects.toThrow("ENOTDIR");
  expect(filesBelow(objects)).toEqual([second.id.slice(0, 2)]);
});

it("a writer of objects leaves whole objects, and drafts that git passes over and clears away, when it is killed", async () => {
  git(["init", "-q"]);
  const program = join(folder, "program.mjs");
  buildSync({
    stdin: {
      contents: `
        import { gitObject } from "./src/worktrees/checkpoints/git-objects.ts";
        import { writeLooseObjects } from "./src/worktrees/checkpoints/git-objects.ts";
        for (let round = 0; ; round += 1) {
          const texts = Array.from({ length: 20 }, (_, each) => \`\${round} \${each} \${"x".repeat(20_000)}\`);
          await writeLooseObjects(process.argv[2], texts.map((text) => gitObject("sha1", "blob", Buffer.from(text))));
          console.log(round);
        }`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
    logLevel: "error",
  });
  for (let kill = 0; kill < 4; kill += 1) {
    const child = spawn(process.execPath, [program, objects], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGKILL");
    await ended;
    expect(faults()).toBe("");
  }
  writeFileSync(join(objects, filesBelow(objects)[0]?.slice(0, 2) ?? "", "tmp_obj_draft"), "half");
  expect(faults()).toBe("");
  git(["prune", "--expire=now"]);
  expect(filesBelow(objects)).toEqual([]);
});
