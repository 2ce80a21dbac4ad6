import { formOf, type HookCall } from "../../agents/hosts/hook-call.ts";
import { recognise } from "../../agents/hosts/hosts.ts";
import { renderReply, SILENCE, type HookAnswer } from "../../agents/hosts/reply.ts";
import { noteToolUse } from "../../engine/stop/note-tool-use.ts";
import { stateHome } from "../../storage/home/state-home.ts";

/** The most frequent call, which needs a small part of the engine. */
export async function answer(call: HookCall): Promise<HookAnswer> {
  if (call.flaw !== null) throw new Error(call.flaw);
  const { by: host, event: name, payload } = recognise(call);
  const { session, event } = host.read(name, payload, process.env);
  if (session === null || event.type !== "tool-used") return SILENCE;
  return renderReply(noteToolUse(stateHome(process.env), session, event.use), host, formOf(call));
}
