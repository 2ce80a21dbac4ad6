import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeEnvironment } from "./claude.ts";
import type { JsonObject } from "./messages-api.ts";
import type { EventName, HookCall, Recorder } from "./recorder.ts";
import type { World } from "./world.ts";

const CLIENT = "claude-code-2.1.197";
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "recordings");

/** What an event's hook gets, seen in scripted sessions of the real client and stripped of this machine. */
interface Recording {
  readonly client: string;
  readonly event: EventName;
  /** One for each form; the scenario is the first in which it was seen. */
  readonly samples: readonly Omit<Sample, "event">[];
}

export interface Sample {
  readonly event: EventName;
  readonly scenario: string;
  /** Names of the variables that the client adds to the environment it was started with. */
  readonly env: readonly string[];
  readonly cwd: string;
  readonly payload: JsonObject;
}

/** What was seen in a scenario's sessions, one sample for each form. */
export function samplesOf(
  scenario: string,
  world: World,
  recorder: Recorder,
  givenEnv: readonly string[],
): readonly Sample[] {
  const given = new Set([
    ...Object.keys(claudeEnvironment(world.home, world.server)),
    ...givenEnv,
    "LOOP_RUN_ID",
  ]);
  return distinct(
    sanitised(recorder.calls(), world, recorder).map(({ event, payload, cwd, env }) => ({
      event,
      scenario,
      env: env.filter((name) => !given.has(name)),
      cwd,
      payload,
    })),
  );
}

export function distinct(samples: readonly Sample[]): readonly Sample[] {
  const forms = new Set<string>();
  return samples.filter((sample) => {
    const form = formOf(sample);
    return !forms.has(form) && forms.add(form);
  });
}

/** Fields whose values, not only whose types, make one call different from another. */
const TELLING =
  /^(session_id|source|trigger|reason|error|(tool|command)_name|permission_mode|stop_hook_active|(agent|expansion)_type)$/;

/** What has to be the same for a recording to be still true. */
export function formOf({ event, env, cwd, payload }: Sample): string {
  const fields = Object.keys(payload)
    .sort()
    .map((name) => `${name}: ${TELLING.test(name) ? JSON.stringify(payload[name]) : typeOf(payload[name])}`);
  return `${event} in ${cwd}\n  ${fields.join("\n  ")}\n  env ${env.join(" ")}`;
}

function typeOf(value: unknown): string {
  if (typeof value === "string") return /^<[\w-]+>/.exec(value)?.[0] ?? "string";
  if (Array.isArray(value)) return `[${[...new Set(value.map(typeOf))].sort().join(" | ")}]`;
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${typeOf(field)}`);
  return `{${fields.sort().join(", ")}}`;
}

export function readRecording(event: EventName): readonly Sample[] {
  try {
    const { samples } = JSON.parse(readFileSync(pathOf(event), "utf8")) as Recording;
    return samples.map((sample) => ({ ...sample, event }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export function writeRecording(event: EventName, samples: readonly Sample[]): void {
  mkdirSync(FOLDER, { recursive: true });
  const recording: Recording = {
    client: CLIENT,
    event,
    samples: samples.map(({ scenario, env, cwd, payload }) => ({ scenario, env, cwd, payload })),
  };
  writeFileSync(pathOf(event), `${JSON.stringify(recording, null, 2)}\n`);
}

function pathOf(event: EventName): string {
  return join(FOLDER, `${CLIENT}-${event}.json`);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const SESSION = /(?<="session_id":")[^"]+/g;
const ID = /(?<="(?:id|agent_id|agentId|backgroundTaskId)":")[0-9a-z]{8,}(?=")/g;
const DURATION = /(duration_?ms"?(?::|>)\s?)\d+/gi;

/** Paths, ids, ports and durations become the same on every machine; nothing else is changed. */
function sanitised(calls: readonly HookCall[], world: World, recorder: Recorder): readonly HookCall[] {
  const plain = JSON.stringify(calls)
    .replaceAll(recorder.pluginDir, "/plugin")
    .replaceAll(world.project, "/project")
    .replaceAll(world.home, "/home/user")
    .replaceAll(world.project.replaceAll(/[^a-zA-Z0-9]/g, "-"), "-project")
    .replaceAll(/\/claude-\d+\//g, "/claude-1000/")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .replaceAll(DURATION, "$17");
  const sessions = numbered(plain, SESSION, (_, n) => `5e550000-0000-4000-8000-${n.padStart(12, "0")}`);
  const others = numbered(sessions, UUID, (uuid, n) =>
    uuid.startsWith("5e550000-") ? uuid : `00000000-0000-4000-8000-${n.padStart(12, "0")}`,
  );
  const ids = numbered(others, ID, (id, n) => `${id.slice(0, 1)}${n.padStart(id.length - 1, "0")}`);
  return JSON.parse(ids) as HookCall[];
}

/** Replaces each thing that the pattern finds, everywhere, by what is made of its number of appearance. */
function numbered(text: string, pattern: RegExp, name: (found: string, number: string) => string): string {
  const found = [...new Set(text.match(pattern))];
  return found.reduce((result, one, index) => result.replaceAll(one, name(one, String(index + 1))), text);
}
