import { mkdirSync, readFileSync, rmSync, writeFileSync, lstatSync, realpathSync } from "node:fs";
import { dirname, basename, join, posix, relative, sep, win32 } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Output } from "./play-turn.ts";
import type { Act } from "./script.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { spawn } from "node:child_process";
import { createCappedOutput, collectOutput } from "../../system/process/collect-output.ts";

export interface Scene {
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
}

/** Performs one act of a turn. A failure is reported, as with an agent's tools, and the turn continues. */
export async function perform(act: Act, scene: Scene): Promise<{ readonly exit: number } | null> {
  const { project, output } = scene;
  if ("write" in act) {
    await change("Write", act.write, scene, (path) => writeText(path, act.text));
  } else if ("edit" in act) {
    await change("Edit", act.edit, scene, (path) =>
      writeText(path, edited(readFileSync(path, "utf8"), act.from, act.to)),
    );
  } else if ("delete" in act) {
    await output.tell({ type: "used", tool: "Delete", detail: act.delete });
    await orFail(output, act.delete, () =>
      rmSync(pathInProject(project, act.delete, "itself"), { recursive: true, force: true }),
    );
  } else if ("run" in act) {
    await output.tell({ type: "used", tool: "Bash", detail: act.run });
    const failure = await runShell(act.run, project, scene.env);
    if (failure !== null) await output.tell({ type: "failed", output: failure });
  } else if ("say" in act) {
    await output.tell({ type: "said", text: act.say });
  } else if ("wait" in act) {
    await sleep(act.wait);
  } else if ("print" in act) {
    await output.print(`${act.print}\n`);
  } else if ("flood" in act) {
    await output.flood(act.flood);
  } else if ("hang" in act) {
    await hang(output);
  } else {
    return { exit: act.exit };
  }
  return null;
}

async function change(
  tool: string,
  name: string,
  { project, output }: Scene,
  apply: (path: string) => void,
): Promise<void> {
  await output.tell({ type: "used", tool, detail: name });
  const done = await orFail(output, name, () => apply(pathInProject(project, name, "followed")));
  if (done) await output.tell({ type: "edited", path: name });
}

async function orFail(output: Output, name: string, act: () => void): Promise<boolean> {
  try {
    act();
    return true;
  } catch (error) {
    await output.tell({ type: "failed", output: `${name}: ${(error as Error).message}` });
    return false;
  }
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Only SIGKILL ends it. Reports this once it is true, not before. */
async function hang(output: Output): Promise<never> {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  await output.tell({ type: "used", tool: "Hang", detail: "until it is killed" });
  for (;;) await sleep(1_000_000);
}

/** Replaces the only `from` in a text. Leaves a text that already has the replacement, because a turn may be played twice. */
export function edited(text: string, from: string, to: string): string {
  const isDone = to.includes(from) ? text.includes(to) : !text.includes(from) && text.includes(to);
  if (isDone) return text;
  const [before, after, ...others] = text.split(from);
  if (before === undefined || after === undefined) throw new Error("the text to replace was not found");
  if (others.length > 0) throw new Error("the text to replace occurs more than once");
  return `${before}${to}${after}`;
}

/** Whether a path is inside the project, judging by its text. */
export function isRelativeInside(path: string): boolean {
  if (path.includes("\0") || posix.isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path)) {
    return false;
  }
  const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  return parts.length > 0 && !parts.includes("..");
}

/** Where a path really leads; throws if a link leads it out of the project or nowhere. */
export function pathInProject(project: string, path: string, link: "followed" | "itself"): string {
  const root = realpathSync(project);
  const whole = join(root, path);
  const real = link === "followed" ? realPath(whole) : join(realPath(dirname(whole)), basename(whole));
  const inside = relative(root, real);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || win32.isAbsolute(inside)) {
    throw new Error(`${path} leads out of the project`);
  }
  return real;
}

/** Resolves the existing part of a path that doesn't fully exist. A dangling link doesn't count as existing. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || isLink(path)) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

const OUTPUT_LIMIT_BYTES = 16 * 1024;
const UNTIL_ENDED_MS = 1_500;
/** How a shell reports that SIGHUP, SIGINT, SIGKILL or SIGTERM ended its command. */
const ENDED = new Set([129, 130, 137, 143]);

/** null if the command succeeded; otherwise the end of its output and how it failed. */
async function runShell(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  // In the player's own group, so ending the player ends this too.
  const child = spawn(line, { shell: true, cwd, env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  const output = createCappedOutput(OUTPUT_LIMIT_BYTES);
  const collection = collectOutput(child, (chunk) => output.append(chunk));
  let isEnded = false;
  const failure = await new Promise<string | null>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      isEnded = signal !== null || ENDED.has(code ?? 0);
      if (signal !== null) resolve(`ended by ${signal}`);
      else resolve(code === 0 ? null : `exit code ${code}`);
    });
  });
  // What ends a command usually ends its agent too, which then prints nothing more.
  if (isEnded) await sleep(UNTIL_ENDED_MS);
  await collection.settled();
  collection.stop();
  return failure === null
    ? null
    : `${output.parts().at(-1)?.trimEnd() ?? ""}\n${line}: ${failure}`.trimStart();
}
