import type { Version } from "./content.ts";
import type { KeptFile } from "./files.ts";
import { BATCH_BYTES } from "./limits.ts";
import type { CheckpointStore } from "./store.ts";
import { toText } from "../../system/tree/git-tree.ts";

/** In the order of the objects; null for an object the repository doesn't have. */
export async function sizesOf(
  store: CheckpointStore,
  objects: readonly string[],
): Promise<readonly (number | null)[]> {
  if (objects.length === 0) return [];
  const input = Buffer.from(`${objects.join("\n")}\n`, "latin1");
  const stdout = await store.run(["cat-file", "--buffer", "--batch-check=%(objectsize)"], { input });
  const lines = stdout.toString("latin1").split("\n").slice(0, -1);
  // For a missing object, git prints its name and that it is missing.
  return lines.map((line) => (line.endsWith("missing") ? null : Number(line)));
}

/** The files with their contents, not all in memory at once. */
export async function* keptFiles(
  store: CheckpointStore,
  versions: ReadonlyMap<string, Version>,
): AsyncGenerator<KeptFile> {
  const sizes = await sizesOf(store, [...versions.values()].map(objectOf));
  let batch: [string, Version][] = [];
  let bytes = 0;
  for (const [position, [path, version]] of [...versions].entries()) {
    const size = sizes[position] ?? 0;
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield* await readBatch(store, batch);
      batch = [];
      bytes = 0;
    }
    batch.push([path, version]);
    bytes += size;
  }
  if (batch.length > 0) yield* await readBatch(store, batch);
}

async function readBatch(
  store: CheckpointStore,
  batch: readonly (readonly [string, Version])[],
): Promise<readonly KeptFile[]> {
  const input = Buffer.from(batch.map(([, version]) => `${objectOf(version)}\n`).join(""), "latin1");
  const stdout = await store.run(["cat-file", "--batch"], { input });
  let start = 0;
  return batch.map(([path, version]) => {
    const end = stdout.indexOf("\n", start);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(stdout.toString("latin1", start, end))?.[1];
    if (size === undefined) throw new Error(`${toText(path)} cannot be read from the checkpoint.`);
    const content = stdout.subarray(end + 1, end + 1 + Number(size));
    start = end + 1 + Number(size) + 1;
    return { path, mode: version.slice(0, 6), content };
  });
}

export function objectOf(version: Version): string {
  return version.slice(7);
}
