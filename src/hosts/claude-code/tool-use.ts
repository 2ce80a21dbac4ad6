import { errorSignature } from "../../core/stop/error-signature.ts";
import type { Payload } from "./payload.ts";
import { textOf } from "./payload.ts";

/** What a finished tool call says about the work. */
export type ToolUse =
  | { readonly type: "used"; readonly tool: string }
  | { readonly type: "edited"; readonly path: string }
  | { readonly type: "failed"; readonly failure: string };

const EDITORS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);

export function readToolUse(payload: Payload): ToolUse {
  const tool = textOf(payload, "tool_name") ?? "unknown";
  const input = payload["tool_input"];
  const fields: Payload = typeof input === "object" && input !== null ? (input as Payload) : {};
  const error = textOf(payload, "error");
  if (error !== null) return { type: "failed", failure: errorSignature(tool, error) };
  const path = textOf(fields, "file_path") ?? textOf(fields, "notebook_path");
  return EDITORS.has(tool) && path !== null ? { type: "edited", path } : { type: "used", tool };
}
