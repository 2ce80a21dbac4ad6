import { errorSignature } from "../../../core/stop/error-signature.ts";
import type { ToolUse } from "../host-event.ts";
import type { Payload } from "../payload.ts";
import { fieldsOf, textOf } from "../payload.ts";

const EDITORS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);

export function readToolUse(payload: Payload): ToolUse {
  const tool = textOf(payload, "tool_name") ?? "unknown";
  const fields = fieldsOf(payload, "tool_input");
  const error = textOf(payload, "error");
  if (error !== null) return { type: "failed", failure: errorSignature(tool, error) };
  const path = textOf(fields, "file_path") ?? textOf(fields, "notebook_path");
  return EDITORS.has(tool) && path !== null ? { type: "edited", path } : { type: "used", tool };
}
