import { existsSync } from "node:fs";
import type { Program } from "./installer.ts";

/** Why the program cannot be called by settings, in one sentence: it is started at every stop for months, from where it lies. */
export function unfitProgram({ hook }: Program): string | null {
  if (!existsSync(hook)) return `${hook} is not there; build it with: npm run build`;
  if (/[\\/]_npx[\\/]/.test(hook))
    return "This copy of loop is npx's own and will be gone one day; install it with npm install -g loopwright, then try again.";
  return null;
}
