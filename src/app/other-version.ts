import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBounded } from "../files/read-bounded.ts";
import { findOnPath } from "../files/find-on-path.ts";
import { oneLine } from "../text/plain-text.ts";

/** Put here by the build; sources that run as they are have no version. */
declare const LOOPWRIGHT_VERSION: string | undefined;

const SIZE_LIMIT_BYTES = 64 * 1024;
const VERSION = /^[0-9A-Za-z.+-]{1,64}$/;

/**
 * The hooks come with a plugin; the `loop` people type comes from somewhere else. Each is updated separately, and two
 * versions may not read each other's journals, so the user hears of it. null: they are the same, or it cannot be told.
 */
export function otherVersionNotice(env: NodeJS.ProcessEnv): string | null {
  const own = typeof LOOPWRIGHT_VERSION === "undefined" ? null : LOOPWRIGHT_VERSION;
  const program = findOnPath("loop", env);
  const other = program === null ? null : versionOf(program);
  if (own === null || other === null || other === own) return null;
  return (
    `[LOOP] This plugin is loopwright ${own}, but the loop on your PATH (${oneLine(program ?? "", 200)}) is ${other}; ` +
    "update the older one. The program: npm install -g loopwright. " +
    "The plugin: claude plugin uninstall loop@loopwright, then claude plugin install loop@loopwright."
  );
}

/** The version in the package.json that a program belongs to. The program itself is not run. */
function versionOf(program: string): string | null {
  try {
    const folder = dirname(realpathSync(program));
    return versionIn(folder) ?? versionIn(dirname(folder));
  } catch {
    return null;
  }
}

function versionIn(folder: string): string | null {
  try {
    const found: unknown = JSON.parse(readBounded(join(folder, "package.json"), SIZE_LIMIT_BYTES));
    const { name, version } = found as { readonly name?: unknown; readonly version?: unknown };
    return name === "loopwright" && typeof version === "string" && VERSION.test(version) ? version : null;
  } catch {
    return null;
  }
}
