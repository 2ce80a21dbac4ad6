import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { edited } from "./edit.ts";
import type { Output } from "./output.ts";
import { pathInProject } from "./project-path.ts";
import { runShell } from "./run-shell.ts";
import type { Deed } from "./script.ts";

export interface Stage {
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
}

/** Does one deed of a turn. What goes wrong with it is seen, as with an agent's tools, and the turn goes on. */
export async function perform(deed: Deed, stage: Stage): Promise<{ readonly exit: number } | null> {
  const { project, output } = stage;
  if ("write" in deed) {
    await change("Write", deed.write, stage, (path) => writeText(path, deed.text));
  } else if ("edit" in deed) {
    await change("Edit", deed.edit, stage, (path) =>
      writeText(path, edited(readFileSync(path, "utf8"), deed.from, deed.to)),
    );
  } else if ("delete" in deed) {
    await output.tell({ type: "used", tool: "Delete", detail: deed.delete });
    await orFail(output, deed.delete, () =>
      rmSync(pathInProject(project, deed.delete, "itself"), { recursive: true, force: true }),
    );
  } else if ("run" in deed) {
    await output.tell({ type: "used", tool: "Bash", detail: deed.run });
    const failure = await runShell(deed.run, project, stage.env);
    if (failure !== null) await output.tell({ type: "failed", output: failure });
  } else if ("say" in deed) {
    await output.tell({ type: "said", text: deed.say });
  } else if ("wait" in deed) {
    await sleep(deed.wait);
  } else if ("print" in deed) {
    await output.print(`${deed.print}\n`);
  } else if ("flood" in deed) {
    await output.flood(deed.flood);
  } else if ("hang" in deed) {
    await hang(output);
  } else {
    return { exit: deed.exit };
  }
  return null;
}

async function change(
  tool: string,
  name: string,
  { project, output }: Stage,
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

/** Only SIGKILL ends it. Told when that is so, and not before. */
async function hang(output: Output): Promise<never> {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  await output.tell({ type: "used", tool: "Hang", detail: "until it is killed" });
  for (;;) await sleep(1_000_000);
}
