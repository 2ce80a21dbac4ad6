import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { ECOSYSTEMS } from "../ecosystems/ecosystems.ts";
import { provide, SYSTEM, type Provided } from "./tools.ts";

const CLI = resolve("dist/cli.js");

/** What all plays share: a folder for their projects, and the tools. */
export interface Workspace {
  readonly folder: string;
  /** In which a play finds `loop`, its tools and the system's own programs, and nothing else. */
  readonly path: (ecosystem: string) => string;
  /** Modules that are copied into a project. */
  readonly modules: (ecosystem: string) => string | null;
  /** Ecosystems whose tools this machine does not have, each with a sentence. */
  readonly missing: ReadonlyMap<string, string>;
  readonly close: () => void;
}

export async function openWorkspace(
  names: ReadonlySet<string>,
  tell: (line: string) => void,
): Promise<Workspace> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-arena-")));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "loop"), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 });
  const provided = new Map<string, Provided>();
  const missing = new Map<string, string>();
  for (const { name, tools } of ECOSYSTEMS.filter((each) => names.has(each.name))) {
    const found = await provide(tools, folder, tell);
    if (typeof found === "string") missing.set(name, found);
    else provided.set(name, found);
  }
  return {
    folder,
    path: (ecosystem) => [...(provided.get(ecosystem)?.folders ?? []), bin, ...SYSTEM].join(delimiter),
    modules: (ecosystem) => provided.get(ecosystem)?.modules ?? null,
    missing,
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
