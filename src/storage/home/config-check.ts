import * as v from "valibot";
import { CHECK_TIERS, DEFAULT_TIMEOUT_MS, CHECK_USES } from "../../core/loop/criterion.ts";
import type { Check, CommandLine } from "../../core/loop/criterion.ts";

const texts = v.array(v.string());
const seconds = v.pipe(v.number(), v.finite(), v.gtValue(0));

/** A line for the shell, or a list of words run without a shell. */
export const configCommand = v.union([v.string(), v.pipe(texts, v.minLength(1))]);

const configCheck = v.union([
  configCommand,
  v.strictObject({
    run: configCommand,
    timeout: v.optional(v.union([seconds, v.picklist(["quick", "standard", "thorough"])])),
    passEnv: v.optional(texts),
    use: v.optional(v.picklist(CHECK_USES)),
  }),
]);

/** Checks by name, as a person writes them in a file. */
export const configChecks = v.pipe(
  v.custom<object>((value) => typeof value === "object" && !Array.isArray(value)),
  v.record(v.string(), configCheck),
);

type ConfigCheck = v.InferOutput<typeof configCheck>;

export function checkOf(check: ConfigCheck): Check {
  if (typeof check === "string" || Array.isArray(check)) {
    return { command: commandOf(check), timeoutMs: DEFAULT_TIMEOUT_MS, passEnv: [] };
  }
  return {
    command: commandOf(check.run),
    timeoutMs: timeoutOf(check.timeout),
    passEnv: check.passEnv ?? [],
    ...(check.use === undefined ? {} : { use: check.use }),
  };
}

function timeoutOf(timeout: number | keyof typeof CHECK_TIERS | undefined): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  return typeof timeout === "number" ? timeout * 1000 : CHECK_TIERS[timeout];
}

export function commandOf(command: string | readonly string[]): CommandLine {
  if (typeof command === "string") return { kind: "shell", line: command };
  const [program, ...rest] = command;
  if (program === undefined) throw new Error("a command is an empty list");
  return { kind: "argv", argv: [program, ...rest] };
}
