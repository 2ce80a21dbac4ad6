import { objectAt, textAt, type JsonObject } from "../json-line.ts";

/** The protocol's kind for a call that has no other. */
const OTHER = "other";

/** Goose says of every call that it is of another kind, and names its own tools beside it. Those of anybody's servers have other extensions. */
const GOOSE_EXTENSION = "developer";
const GOOSE_TOOLS: { readonly [tool: string]: string } = {
  write: "edit",
  edit: "edit",
  shell: "execute",
  tree: "read",
};

/** What kind of call it is, in the protocol's words; null if nothing says so. */
export function kindOf(call: JsonObject): string | null {
  const told = textAt(call, "kind");
  return told === null || told === OTHER ? (kindOfGooseTool(call) ?? told) : told;
}

function kindOfGooseTool(call: JsonObject): string | null {
  const named = objectAt(call, "_meta", "goose", "toolCall");
  if (textAt(named, "extensionName") !== GOOSE_EXTENSION) return null;
  const tool = textAt(named, "toolName") ?? "";
  return Object.hasOwn(GOOSE_TOOLS, tool) ? (GOOSE_TOOLS[tool] ?? null) : null;
}
