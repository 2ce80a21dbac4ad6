import { spawn } from "node:child_process";
import * as v from "valibot";
import { DECISIONS } from "../../core/questions/review/counted-findings.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";

const words = v.pipe(v.string(), v.maxLength(8_000));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0.01), v.maxValue(100_000));
const iteration = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What a button asks for. */
export const actionSchema = v.variant("type", [
  v.object({
    type: v.literal("continue"),
    budget: v.optional(amount),
    iterations: v.optional(iteration),
    say: v.optional(words),
    agent: v.optional(v.pipe(v.string(), v.regex(/^[a-z][a-z-]{0,39}$/))),
  }),
  v.object({ type: v.literal("approve"), continues: v.boolean() }),
  v.object({ type: v.literal("refuse") }),
  v.object({ type: v.literal("undo"), iteration, continues: v.boolean() }),
  v.object({
    type: v.literal("retry"),
    task: v.pipe(v.string(), v.regex(/^[A-Z]{1,8}-\d{1,4}$/)),
    say: words,
  }),
  v.object({ type: v.literal("trust") }),
  v.object({ type: v.literal("pause") }),
  v.object({ type: v.literal("cancel") }),
  v.object({
    type: v.literal("resolve"),
    finding: v.pipe(v.string(), v.regex(/^F-\d{1,3}$/)),
    decision: v.picklist(DECISIONS),
  }),
]);
export type Action = v.InferOutput<typeof actionSchema>;

export interface Ran {
  readonly isDone: boolean;
  /** What the program said: a sentence. */
  readonly text: string;
}

const LONGEST_TEXT = 2_000;
/** A run that hasn't failed by then works. */
const BEGUN_MS = 4_000;
const COMMAND_MS = 120_000;
const LOOK_MS = 200;

/**
 * Runs the program's own commands, one after the other, with its own rules. `continue` and `run` drive on by itself, also when this server
 * ends; `hasBegun` says that the journal knows of it.
 */
export async function runCommands(
  { machine, cli, cwd }: { readonly machine: Machine; readonly cli: string; readonly cwd: string },
  commands: readonly (readonly string[])[],
  hasBegun: () => Promise<boolean>,
): Promise<Ran> {
  const texts: string[] = [];
  for (const command of commands) {
    const isDriving = command[0] === "continue" || command[0] === "run";
    const { code, text } = await run({ machine, cli, cwd }, command, isDriving ? hasBegun : null);
    if (text !== "") texts.push(text);
    if (code !== 0 && code !== null) return { isDone: false, text: texts.join("\n").slice(0, LONGEST_TEXT) };
  }
  return { isDone: true, text: texts.join("\n").slice(0, LONGEST_TEXT) };
}

interface Ended {
  /** null: it goes on. */
  readonly code: number | null;
  readonly text: string;
}

async function run(
  { machine, cli, cwd }: { readonly machine: Machine; readonly cli: string; readonly cwd: string },
  args: readonly string[],
  hasBegun: (() => Promise<boolean>) | null,
): Promise<Ended> {
  const env = { ...machine.env, LOOP_HEADLESS: "true", NO_COLOR: "1" };
  const isDetached = hasBegun !== null;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env,
    detached: isDetached,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const take = (chunk: Buffer): void => {
    if (text.length < LONGEST_TEXT) text += chunk.toString("utf8");
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const said = (): string => text.trim().replace(/^loop: /gm, "");
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill(), COMMAND_MS);
    const since = machine.now();
    const look = async (): Promise<void> => {
      if (!((await hasBegun?.()) ?? false) && machine.now() - since < BEGUN_MS) return;
      // It says no more to us, and goes on by itself.
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      end({ code: null, text: "" });
    };
    const looking = hasBegun === null ? null : setInterval(() => void look(), LOOK_MS);
    const end = (ended: Ended): void => {
      clearTimeout(limit);
      if (looking !== null) clearInterval(looking);
      resolve(ended);
    };
    child.on("error", (error) => end({ code: 1, text: oneLine(error.message, 300) }));
    child.on("close", (code) => end({ code: code ?? 1, text: said() }));
  });
}
