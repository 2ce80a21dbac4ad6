import { ALLOW_ALL, DENY_ALL } from "../drivers/acp/permission.ts";
import type { Turn } from "../drivers/driver.ts";
import {
  asObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
  valueAt,
  type JsonObject,
} from "../drivers/json-line.ts";
import { RpcError, type Peer } from "../../system/json-rpc/peer.ts";
import type { Step } from "../drivers/acp/lines.ts";

declare const LOOPWRIGHT_VERSION: string;

export interface OpenSession {
  readonly id: string;
  /** The agent's name and version, as it says. */
  readonly agent: string;
  readonly model: string | null;
}

type Wanted = Pick<Turn, "conversation" | "model" | "permissionMode"> & { readonly cwd: string };

const PROTOCOL_VERSION = 1;
/** We have no unsaved files and no terminal to lend: the agent uses its own tools, and asks before it does. */
const OURS = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: "loopwright", title: "Loopwright", version: LOOPWRIGHT_VERSION },
};

/** Greets the agent, then opens a session or continues one. `enter` hears how far it is, for whoever has to say where it failed. */
export async function openSession(
  peer: Peer,
  wanted: Wanted,
  enter: (step: Step) => void,
): Promise<OpenSession> {
  enter("start");
  const greeting = asObject(await peer.call("initialize", OURS)) ?? {};
  const version = valueAt(greeting, "protocolVersion");
  if (version !== PROTOCOL_VERSION)
    throw new RpcError(0, `it speaks version ${String(version).slice(0, 20)} of the protocol, not 1`);

  const place = { cwd: wanted.cwd, mcpServers: [] };
  enter(wanted.conversation === null ? "open" : "resume");
  const opened =
    wanted.conversation === null
      ? await peer.call("session/new", place)
      : await peer.call(resumingMethod(greeting), { ...place, sessionId: wanted.conversation });
  const id = wanted.conversation ?? textAt(opened, "sessionId");
  if (id === null) throw new RpcError(0, "it opened a session without an id");

  enter("set");
  await setMode(peer, id, opened, wanted.permissionMode);
  const model = await setModel(peer, id, opened, wanted.model);
  const name = textAt(greeting, "agentInfo", "title") ?? textAt(greeting, "agentInfo", "name") ?? "";
  return { id, agent: `${name} ${textAt(greeting, "agentInfo", "version") ?? ""}`.trim(), model };
}

/** `resume` tells nothing again; `load` repeats the whole conversation, which nobody needs. */
function resumingMethod(greeting: JsonObject): string {
  if (objectAt(greeting, "agentCapabilities", "sessionCapabilities", "resume") !== null)
    return "session/resume";
  if (valueAt(greeting, "agentCapabilities", "loadSession") === true) return "session/load";
  throw new RpcError(0, "it cannot continue a conversation");
}

/** Something a session can be set to, and what it is set to now. */
interface Choice {
  readonly current: string | null;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly set: (value: string) => Promise<unknown>;
}

/** Modes in which agents ask before they act, or stay in the folder: what we answer then decides. */
const ASKING_MODES = new Set(["default", "workspace-write"]);

async function setMode(peer: Peer, session: string, opened: unknown, asked: string | null): Promise<void> {
  const choice = modesIn(peer, session, opened) ?? configuredIn(peer, session, opened, "mode");
  if (asked !== null && asked !== ALLOW_ALL && asked !== DENY_ALL) {
    const mode = expected(choice, asked, "--permission-mode");
    await choice?.set(mode);
    return;
  }
  const asking = choice?.options.find(({ id }) => ASKING_MODES.has(id))?.id;
  if (asking !== undefined && !ASKING_MODES.has(choice?.current ?? "")) await choice?.set(asking);
}

async function setModel(
  peer: Peer,
  session: string,
  opened: unknown,
  asked: string | null,
): Promise<string | null> {
  const choice = configuredIn(peer, session, opened, "model") ?? modelsIn(peer, session, opened);
  if (asked === null) return nameOf(choice);
  await choice?.set(expected(choice, asked, "--model"));
  return asked;
}

/** The current model. Some ids are paths through the agent's own settings; then its name is the better word. */
function nameOf(choice: Choice | null): string | null {
  if (choice === null || choice.current === null) return null;
  const { current } = choice;
  return /^[\w./:@-]+$/.test(current)
    ? current
    : (choice.options.find(({ id }) => id === current)?.name ?? current);
}

function modesIn(peer: Peer, session: string, opened: unknown): Choice | null {
  const modes = objectsAt(opened, "modes", "availableModes");
  if (modes.length === 0) return null;
  return {
    current: textAt(opened, "modes", "currentModeId"),
    options: optionsOf(modes, "id"),
    set: (modeId) => peer.call("session/set_mode", { sessionId: session, modeId }),
  };
}

function modelsIn(peer: Peer, session: string, opened: unknown): Choice | null {
  const models = objectsAt(opened, "models", "availableModels");
  if (models.length === 0) return null;
  return {
    current: textAt(opened, "models", "currentModelId"),
    options: optionsOf(models, "modelId"),
    set: (modelId) => peer.call("session/set_model", { sessionId: session, modelId }),
  };
}

function configuredIn(peer: Peer, session: string, opened: unknown, category: string): Choice | null {
  const config = objectsAt(opened, "configOptions").find((each) => textAt(each, "category") === category);
  const configId = textAt(config, "id");
  if (config === undefined || configId === null) return null;
  // Options may come in groups.
  const options = objectsAt(config, "options").flatMap((each) =>
    listAt(each, "options").length === 0 ? [each] : objectsAt(each, "options"),
  );
  return {
    current: textAt(config, "currentValue"),
    options: optionsOf(options, "value"),
    set: (value) => peer.call("session/set_config_option", { sessionId: session, configId, value }),
  };
}

function optionsOf(list: readonly JsonObject[], key: string): Choice["options"] {
  return list.flatMap((each) => {
    const id = textAt(each, key);
    return id === null ? [] : [{ id, name: textAt(each, "name") ?? id }];
  });
}

const MOST_NAMED = 8;

/** The id of what was asked for, by id or by name. */
function expected(choice: Choice | null, asked: string, flag: string): string {
  const found = choice?.options.find(
    ({ id, name }) => id === asked || name.toLowerCase() === asked.toLowerCase(),
  );
  if (found !== undefined) return found.id;
  const own = flag === "--permission-mode" ? [ALLOW_ALL, DENY_ALL] : [];
  const all = [...own, ...(choice?.options.map(({ id }) => id) ?? [])];
  const named = all.slice(0, MOST_NAMED).join(", ");
  throw new RpcError(
    0,
    all.length === 0
      ? `the agent cannot be told ${flag}; leave it out, or use --agent-arg`
      : `the agent has no ${flag} ${asked.slice(0, 60)}; it has ${named}${all.length > MOST_NAMED ? " …" : ""}`,
  );
}
