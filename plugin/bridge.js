// Loopwright's hooks for clients that have plugins instead of hooks. Written by loop install; loop uninstall removes it.
// Calls hook.js as other clients do. Whatever goes wrong here lets the agent go.
import { spawn } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";

/** How long a call may take, as in other clients' settings: a stop waits for checks, every other call only takes a note. */
const SECONDS = { stop: 600, "session-end": 3 };
const OTHER_SECONDS = 10;
/** Told to end, the hook ends its checks and says that it didn't hold. */
const LAST_WORDS_SECONDS = 2;

/** One call of hook.js: what it answered, or {} if it said nothing, took too long or could not be asked. */
function ask({ node, hook }, host, word, payload) {
  return new Promise((resolve) => {
    if (!existsSync(hook)) return resolve({});
    const child = spawn(node, [hook, word, "--host", host], { stdio: ["pipe", "pipe", "ignore"] });
    let out = "";
    let limit = setTimeout(
      () => {
        child.kill();
        limit = setTimeout(() => {
          child.kill("SIGKILL");
          resolve({});
        }, LAST_WORDS_SECONDS * 1000);
      },
      (SECONDS[word] ?? OTHER_SECONDS) * 1000,
    );
    child.on("error", () => {
      clearTimeout(limit);
      resolve({});
    });
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk) => (out += chunk));
    child.on("close", () => {
      clearTimeout(limit);
      try {
        resolve(JSON.parse(out));
      } catch {
        resolve({});
      }
    });
    child.stdin.end(JSON.stringify({ hook_event_name: word, ...payload }));
  });
}

/** Whether a session may have a loop. As in hook.sh: most have none, and then a prompt or a subagent's end starts no program. */
function mayHaveLoop(session) {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = process.env;
  const folder = state.startsWith("/") ? state : home.startsWith("/") ? `${home}/.local/state` : null;
  if (folder === null || !/^\w[\w.-]*$/.test(session)) return true;
  return (
    lstatSync(`${folder}/loopwright/sessions/${session}.loop.json`, { throwIfNoEntry: false }) !== undefined
  );
}

const concerns = (session, prompt) => prompt.includes("loop:") || mayHaveLoop(session);

const contextIn = ({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext ?? null;

/** What was last said to hold it, by session: the client reports it as a prompt. */
const held = new Map();

// oxlint-disable-next-line no-unused-vars -- the installed file's last line calls it, and clients call every export.
function loopFor(kind, program) {
  const asked = (word, payload) => ask(program, kind, word, payload);
  if (kind === "opencode") return (client) => opencode(client, asked);
  return (pi) => (kind === "pi" ? forPi(pi, asked) : forOhMyPi(pi, asked));
}

/**
 * `experimental.text.complete` is awaited before a run ends, and a message added there keeps it going. It comes after every text,
 * so it only counts if the answer ends with it: with a tool call behind it, the turn goes on by itself.
 */
async function opencode({ client, directory }, asked) {
  const started = new Set();
  const begin = async (session) => {
    if (started.has(session)) return;
    started.add(session);
    await asked("session-start", { session_id: session, cwd: directory, source: "startup" });
  };
  const show = (message) =>
    message === undefined
      ? undefined
      : client.tui?.showToast?.({ body: { message, variant: "info" } }).catch(() => {});
  return {
    "chat.message": async ({ sessionID }, { parts }) => {
      const prompt = parts
        .flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
        .join("\n")
        // `opencode run` puts quotes around a prompt with blanks.
        .replace(/^"([^]*)"$/, (_, typed) => typed.replaceAll('\\"', '"'));
      if (held.get(sessionID) === prompt) return;
      await begin(sessionID);
      if (!concerns(sessionID, prompt)) return;
      const answer = await asked("user-prompt-submit", { session_id: sessionID, cwd: directory, prompt });
      const context = contextIn(answer);
      const text = parts.find((part) => part.type === "text");
      if (context !== null && text !== undefined) text.text += `\n\n${context}`;
      await show(answer.systemMessage);
    },
    "shell.env": async ({ sessionID }, output) => {
      if (sessionID !== undefined)
        Object.assign(output.env, { LOOP_HOST: "opencode", LOOP_HOST_SESSION: sessionID });
    },
    "experimental.text.complete": async ({ sessionID, messageID }, { text }) => {
      const { data } = await client.session.message({ path: { id: sessionID, messageID } }).catch(() => ({}));
      if (data?.parts?.some((part) => part.type === "tool")) return;
      const { data: session } = await client.session.get({ path: { id: sessionID } }).catch(() => ({}));
      if (session?.parentID && !mayHaveLoop(sessionID)) return;
      const answer = await asked("stop", {
        session_id: sessionID,
        cwd: directory,
        last_assistant_message: text,
        stop_hook_active: held.has(sessionID),
        ...(session?.parentID ? { agent_id: sessionID } : {}),
        ...(data?.info?.mode === "plan" ? { permission_mode: "plan" } : {}),
      });
      held.delete(sessionID);
      await show(answer.systemMessage);
      if (answer.decision !== "block") return;
      held.set(sessionID, answer.reason);
      const parts = [{ type: "text", text: answer.reason }];
      await client.session.prompt({ path: { id: sessionID }, body: { noReply: true, parts } });
    },
  };
}

function placeOf(context) {
  const { sessionManager } = context;
  return {
    session_id: sessionManager?.getSessionId?.(),
    transcript_path: sessionManager?.getSessionFile?.() ?? null,
    cwd: context.cwd,
  };
}

/** What both have: a session's start and end, and prompts. */
function shared(pi, asked, host) {
  const notify = (context, message) => {
    if (message !== undefined && context.hasUI) context.ui.notify(message, "info");
  };
  const begin = async (_, context) => {
    const place = placeOf(context);
    // Inherited by the agent's shells.
    Object.assign(process.env, { LOOP_HOST: host, LOOP_HOST_SESSION: place.session_id ?? "" });
    notify(context, (await asked("session-start", { ...place, source: "startup" })).systemMessage);
  };
  pi.on("session_start", begin);
  pi.on("session_switch", begin);
  pi.on("session_shutdown", async (_, context) => void (await asked("session-end", placeOf(context))));
  pi.on("before_agent_start", async ({ prompt }, context) => {
    const place = placeOf(context);
    if (held.get(place.session_id) === prompt || !concerns(place.session_id, prompt)) return undefined;
    const answer = await asked("user-prompt-submit", { ...place, prompt });
    notify(context, answer.systemMessage);
    const content = contextIn(answer);
    return content === null ? undefined : { message: { customType: "loop", content, display: false } };
  });
  return notify;
}

const textOf = (message) =>
  (message?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** Whether the client keeps what was said to hold its agent is its own; whether this stop follows a hold is ours to know. */
async function stopOf(asked, place, message) {
  const answer = await asked("stop", {
    ...place,
    last_assistant_message: textOf(message),
    stop_hook_active: held.has(place.session_id),
  });
  if (answer.decision === "block") held.set(place.session_id, answer.reason);
  else held.delete(place.session_id);
  return answer;
}

function forPi(pi, asked) {
  const notify = shared(pi, asked, "pi");
  pi.on("agent_before_settle", async (event, context) => {
    if (["aborted", "error"].includes(event.outcome)) return undefined;
    const last = event.context?.contextMessages?.findLast?.(({ role }) => role === "assistant");
    const answer = await stopOf(asked, placeOf(context), last);
    notify(context, answer.systemMessage);
    if (answer.decision !== "block") return undefined;
    const entry = { type: "custom_message", customType: "loop", content: answer.reason, display: true };
    return { entries: [...event.entries, entry], continue: true };
  });
}

function forOhMyPi(pi, asked) {
  const notify = shared(pi, asked, "oh-my-pi");
  pi.on("session_stop", async (event, context) => {
    const place = {
      ...placeOf(context),
      session_id: event.session_id,
      transcript_path: event.session_file ?? null,
    };
    const answer = await stopOf(asked, place, event.last_assistant_message);
    notify(context, answer.systemMessage);
    return answer.decision === "block" ? { decision: "block", reason: answer.reason } : undefined;
  });
}
