import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { edited } from "./edit.ts";
import type { Output } from "./output.ts";
import { pathInProject } from "./project-path.ts";
import { runShell } from "./run-shell.ts";
import type { Act } from "./script.ts";

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
