import type { Payload } from "../payload.ts";
import { textOf } from "../payload.ts";

/** Other hosts copy its payload, but not the place of its conversations: `projects/FOLDER/SESSION.jsonl`. */
export function recognises(payload: Payload): boolean {
  const [project, , file] = (textOf(payload, "transcript_path") ?? "").split(/[\\/]/).slice(-3);
  return project === "projects" && file === `${textOf(payload, "session_id")}.jsonl`;
}
