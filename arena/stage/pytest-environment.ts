import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { start } from "./process.ts";

const VERSION = "8.4.2";
/** Kept from run to run, since it comes from the network. */
const FOLDER = resolve("node_modules/.cache/arena", `pytest-${VERSION}`);

/** The programs of a Python with pytest; null where it cannot be had. */
export async function pytestFolder(tell: (line: string) => void): Promise<string | null> {
  const bin = join(FOLDER, "bin");
  if (await hasPytest(bin)) return bin;
  tell(`installing pytest ${VERSION} into ${FOLDER} (python3 -m venv, pip install)`);
  const options = { cwd: process.cwd(), env: process.env };
  try {
    await start(["python3", "-m", "venv", FOLDER], options);
    await start([join(bin, "pip"), "install", "--quiet", `pytest==${VERSION}`], options);
  } catch {
    return null; // there is no Python
  }
  return (await hasPytest(bin)) ? bin : null;
}

async function hasPytest(bin: string): Promise<boolean> {
  if (!existsSync(join(bin, "pytest"))) return false;
  const ran = await start([join(bin, "python"), "-m", "pytest", "--version"], { cwd: bin, env: process.env });
  return ran.code === 0;
}
