import { claudeCode } from "./claude-code/host.ts";
import type { EnvironmentMark, Host } from "./host.ts";
import type { HookCall } from "./hook-call.ts";
import type { Payload } from "./payload.ts";
import { describedHost } from "./described/described-host.ts";
import { DESCRIPTIONS } from "./described/descriptions.ts";

/** All hosts. A new one is a description, or a folder beside `claude-code` and a word here. */
export const HOSTS: readonly Host[] = [claudeCode, ...DESCRIPTIONS.map(describedHost)];

/** Others copy its format, so it is the best guess when a host doesn't identify itself. */
export const DEFAULT_HOST: Host = claudeCode;

/** Agents that don't call us through hooks but are recognized by their shells. */
export const AGENTS_WITHOUT_HOOKS: readonly {
  readonly id: string;
  readonly programs: readonly string[];
  readonly packages: readonly string[];
  readonly marks: readonly EnvironmentMark[];
}[] = [{ id: "cursor", programs: ["cursor-agent"], packages: [], marks: [{ mark: "CURSOR_AGENT" }] }];

export function findHost(id: string | null | undefined): Host | null {
  return HOSTS.find((host) => host.id === id) ?? null;
}

/** A call whose host is known. */
export interface RecognisedCall extends HookCall {
  readonly by: Host;
}

export function recognise(call: HookCall): RecognisedCall {
  return { ...call, by: recogniseHost(call.payload, call.host) };
}

/** Who calls: the payload takes precedence over the settings. */
export function recogniseHost(payload: Payload, named: string | null, hosts = HOSTS): Host {
  const found = hosts.find((host) => host.recognises(payload)) ?? hosts.find(({ id }) => id === named);
  return found ?? DEFAULT_HOST;
}
