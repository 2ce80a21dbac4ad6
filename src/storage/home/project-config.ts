import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { foldersUpFrom, pathBelow } from "../../core/loop/folder.ts";
import { SHAPES } from "../../core/loop/loop.ts";
import { PROOF_MODES } from "../../core/loop/proof.ts";
import { isResourceName } from "../../core/loop/id.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { writePrivateJson } from "../../system/files/json-file.ts";
import { durationMs } from "../../system/text/quantities.ts";
import type { CallerLocation } from "./project.ts";
import { CHECK_TIERS, DEFAULT_TIMEOUT_MS, CHECK_USES } from "../../core/loop/criterion.ts";
import type { Check, CommandLine } from "../../core/loop/criterion.ts";

const texts = v.array(v.string());
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const duration = v.pipe(
  v.string(),
  v.check((text) => durationMs(text) !== null, "should be a duration such as 30s or 5m"),
);
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));

/** A line for the shell, or a list of words run without a shell. */
const configCommand = v.union([v.string(), v.pipe(texts, v.minLength(1))]);

const configCheck = v.union([
  configCommand,
  v.strictObject({
    run: configCommand,
    timeout: v.optional(v.union([positive, v.picklist(["quick", "standard", "thorough"])])),
    passEnv: v.optional(texts),
    use: v.optional(v.picklist(CHECK_USES)),
  }),
]);

/** Checks by name, as a person writes them in a file. */
export const configChecks = v.pipe(
  v.custom<object>((value) => typeof value === "object" && !Array.isArray(value)),
  v.record(v.string(), configCheck),
);

const limits = v.strictObject({
  budget: v.optional(positive),
  iterations: v.optional(v.pipe(whole, v.minValue(1))),
  maxTokens: v.optional(v.pipe(whole, v.minValue(1))),
  maxMinutes: v.optional(positive),
  maxDisk: v.optional(positive),
  stuck: v.optional(whole),
  sameError: v.optional(whole),
  sameFile: v.optional(whole),
  noProgress: v.optional(whole),
});

/** `loop.config.json`: what a project asks of every loop in it. */
const schema = v.strictObject({
  $schema: v.optional(v.string()),
  checks: v.optional(configChecks),
  mustNot: v.optional(texts),
  protect: v.optional(texts),
  mayChange: v.optional(texts),
  proof: v.optional(v.picklist(PROOF_MODES)),
  proofBudget: v.optional(duration),
  shape: v.optional(v.picklist(SHAPES)),
  accept: v.optional(v.literal("weak")),
  agent: v.optional(v.string()),
  notify: v.optional(v.pipe(v.string(), v.minLength(1))),
  model: v.optional(v.string()),
  worktreeSetup: v.optional(v.array(configCommand)),
  resources: v.optional(
    v.record(
      v.pipe(v.string(), v.check(isResourceName, "should be named with letters, digits and dashes")),
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(1_000)),
    ),
  ),
  limits: v.optional(limits),
});

export type ProjectConfig = v.InferOutput<typeof schema>;

/** `folder`: the config's own, below the project's root. */
type FoundConfig =
  | { readonly type: "none" }
  | { readonly type: "unreadable"; readonly folder: string; readonly why: string }
  | {
      readonly type: "untrusted";
      readonly folder: string;
      readonly config: ProjectConfig;
      readonly digest: string;
    }
  | { readonly type: "trusted"; readonly folder: string; readonly config: ProjectConfig };

export const CONFIG_FILE = "loop.config.json";
const SIZE_LIMIT_BYTES = 1024 * 1024;

/** The nearest config, upwards to the project's root. Nothing in it is used before a person approved this very text for this very folder. */
export function findConfig(home: string, { project, folder: from }: CallerLocation): FoundConfig {
  for (const folder of foldersUpFrom(from)) {
    const found = readConfig(home, join(project.root, folder));
    if (found !== null) return { ...found, folder };
  }
  return { type: "none" };
}

/** What people call the config of a folder. */
export function configName(folder: string): string {
  return pathBelow(folder, CONFIG_FILE);
}

type ReadConfig = WithoutFolder<Exclude<FoundConfig, { readonly type: "none" }>>;
type WithoutFolder<Found> = Found extends unknown ? Omit<Found, "folder"> : never;

function readConfig(home: string, path: string): ReadConfig | null {
  let text: string;
  try {
    text = readBounded(join(path, CONFIG_FILE), SIZE_LIMIT_BYTES);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return null;
    return { type: "unreadable", why: errnoOf(error) ?? (error as Error).message };
  }
  const config = parseConfig(text);
  if (config.type === "unreadable") return config;
  const digest = digestOfConfig(path, text);
  return existsSync(approvalPath(home, digest))
    ? { type: "trusted", config: config.config }
    : { type: "untrusted", config: config.config, digest };
}

/** What is approved: this very text, in this very folder. */
export function digestOfConfig(path: string, text: string): string {
  return createHash("sha256").update(`${path}\0${text}`).digest("hex");
}

export function approveConfig(home: string, path: string, digest: string): void {
  writePrivateJson(approvalPath(home, digest), { root: path });
}

function parseConfig(
  text: string,
): { type: "parsed"; config: ProjectConfig } | { type: "unreadable"; why: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { type: "unreadable", why: "it is not valid JSON" };
  }
  if (Array.isArray(value)) return { type: "unreadable", why: "it is not a JSON object" };
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { type: "parsed", config: parsed.output };
  return { type: "unreadable", why: explain(parsed.issues[0]) };
}

/** Doesn't quote the file: its text is untrusted until it is approved. */
function explain(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? "the file";
  const where = /^[\w$. -]{1,60}$/.test(path) ? path : "something in it";
  if (issue.expected === "never")
    return `${where} is not a setting${Object.hasOwn(limits.entries, path) ? `; limits.${path} is` : ""}`;
  if (issue.type === "check") return `${where} ${issue.message}`;
  if (issue.type === "min_length") return `${where} should not be empty`;
  return `${where} should be ${issue.expected ?? "of another form"}`;
}

function approvalPath(home: string, digest: string): string {
  return join(home, "configs", `${digest}.json`);
}

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

/** The digest of a plan's text, as `sha256sum` prints it for its file. */
export function planDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether a person approved the commands of this very text for this very project. */
export function isPlanApproved(home: string, root: string, text: string): boolean {
  return existsSync(planApprovalPath(home, root, text));
}

export function approvePlanOf(home: string, root: string, text: string): void {
  writePrivateJson(planApprovalPath(home, root, text), { root });
}

function planApprovalPath(home: string, root: string, text: string): string {
  return join(home, "plans", `${planDigest(`${root}\0${text}`)}.json`);
}
