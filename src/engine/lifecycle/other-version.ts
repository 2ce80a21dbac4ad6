import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Binding } from "../../core/loop/loop.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { findOnPath } from "../../system/files/find-on-path.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { findStart } from "../../storage/home/session-files.ts";
import { oneLine } from "../../system/text/plain-text.ts";

/** Set by the build; running from sources has no version. */
declare const LOOPWRIGHT_VERSION: string | undefined;

export const OWN_VERSION = typeof LOOPWRIGHT_VERSION === "undefined" ? null : LOOPWRIGHT_VERSION;

const HOW_TO_UPDATE =
  "update the older one. The program: npm install -g loopwright. " +
  "The plugin: claude plugin uninstall loop@loopwright, then claude plugin install loop@loopwright.";

const SIZE_LIMIT_BYTES = 64 * 1024;
const VERSION = /^[0-9A-Za-z.+-]{1,64}$/;

/**
 * The hooks come with a plugin, the `loop` that people type comes from somewhere else. They are updated separately, and two
 * versions may not read each other's journals, so the user gets a notice. null: same version, or unknown.
 */
export function otherVersionNotice(env: NodeJS.ProcessEnv): string | null {
  const program = findOnPath("loop", env);
  const other = program === null ? null : versionOf(program);
  if (OWN_VERSION === null || other === null || other === OWN_VERSION) return null;
  return (
    `[LOOP] This plugin is loopwright ${OWN_VERSION}, but the loop on your PATH (${oneLine(program ?? "", 200)}) is ${other}; ` +
    HOW_TO_UPDATE
  );
}

/** Tells of hooks of another version, by what the session's hooks recorded about themselves at its start. */
export function otherHooksNotice({ home }: Pick<Machine, "home">, binding: Binding | null): string | null {
  const start = binding === null ? null : findStart(home, binding.session);
  if (OWN_VERSION === null || start === null || start.version === OWN_VERSION) return null;
  const hooks = start.version === undefined ? "of an earlier version" : oneLine(start.version, 64);
  return (
    `This loop is loopwright ${OWN_VERSION}, but the hooks of the session are ${hooks}: they may not understand what it writes, and then hold nobody; ` +
    `${HOW_TO_UPDATE} Then start the session again.`
  );
}

/** The version in the package.json a program belongs to. Doesn't run the program. */
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
