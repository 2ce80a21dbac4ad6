import { existsSync } from "node:fs";
import type { Program } from "./installer.ts";

/** Why settings cannot point to this program, in one sentence: it runs at every stop for months, from its current path. */
export function unfitProgram({ hook }: Program): string | null {
  if (!existsSync(hook)) return `${hook} does not exist; build it with: npm run build`;
  if (/[\\/]_npx[\\/]/.test(hook))
    return "This is npx's temporary copy of loop; install it with npm install -g loopwright, then try again.";
  return null;
}
